import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { Logger } from '@nestjs/common';
import { freePort } from '../../../test/free-port.js';
import type { Config } from '../../shared/config/config.js';
import { StartupError } from '../../shared/errors/startup-error.js';
import { PrometheusMetrics } from '../../shared/metrics/prometheus-metrics.js';
import { MetricsServer } from './metrics-server.js';

const HOST = '127.0.0.1';

describe('MetricsServer', () => {
  let url: string;
  let metrics: PrometheusMetrics;
  let server: MetricsServer;

  beforeEach(async () => {
    const metricsPort = await freePort(HOST);
    url = `http://${HOST}:${metricsPort}`;
    metrics = new PrometheusMetrics();
    server = new MetricsServer({ metricsPort, metricsHost: HOST } as Config, metrics);
    await server.onApplicationBootstrap();
  });
  afterEach(() => server.onApplicationShutdown());

  it('serves the metrics in the text format of Prometheus', async () => {
    metrics.counter('events_total', 'Events').labels().inc();
    const response = await fetch(`${url}/metrics?from=prometheus`);

    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(await response.text()).toContain('\nlicense_service_events_total 1\n');
  });

  it.each([
    ['GET', '/'],
    ['GET', '/metrics/'],
    ['GET', '/health/live'],
    ['POST', '/metrics'],
  ])('responds to %s %s with 404', async (method, path) => {
    const response = await fetch(url + path, { method });
    expect([response.status, await response.text()]).toEqual([404, '']);
  });

  it('responds with 500, and serves on, where the metrics cannot be collected', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    jest.spyOn(metrics, 'text').mockRejectedValueOnce(new Error('no metrics'));

    expect((await fetch(`${url}/metrics`)).status).toBe(500);
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
    expect(log).toHaveBeenCalledTimes(1);
    log.mockRestore();
  });

  it('closes connections beyond 16', async () => {
    const { port } = new URL(url);
    const connect = () => net.connect(Number(port), HOST).on('error', () => undefined);
    const kept = Array.from({ length: 16 }, connect);
    await Promise.all(kept.map((socket) => once(socket, 'connect')));

    await once(connect().resume(), 'close');
    kept.forEach((socket) => socket.destroy());
  });

  it('closes its port and connections that are open when the service has shut down', async () => {
    const { port } = new URL(url);
    const socket = net.connect(Number(port), HOST).resume();
    await once(socket, 'connect');
    await fetch(`${url}/metrics`);
    server.onApplicationShutdown();

    await once(socket, 'close');
    await expect(fetch(`${url}/metrics`)).rejects.toThrow('fetch failed');
  });

  it('explains a start on a port that is in use, with the names of its own variables', async () => {
    const other = net.createServer().listen(0, HOST);
    await once(other, 'listening');
    const { port: metricsPort } = other.address() as AddressInfo;
    const second = new MetricsServer({ metricsPort, metricsHost: HOST } as Config, metrics);
    const start = second.onApplicationBootstrap();

    await expect(start).rejects.toThrow(
      new StartupError(
        `${HOST}:${metricsPort} is already in use: stop the program that uses it, or set another METRICS_PORT.`,
      ),
    );
    other.close();
  });

  it('listens on no port where none is configured', async () => {
    const listen = jest.spyOn(net.Server.prototype, 'listen');
    const off = new MetricsServer({ metricsHost: HOST } as Config, metrics);
    await off.onApplicationBootstrap();
    off.onApplicationShutdown();

    expect(listen).not.toHaveBeenCalled();
    listen.mockRestore();
  });
});
