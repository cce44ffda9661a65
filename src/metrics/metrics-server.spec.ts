import { once } from 'node:events';
import http from 'node:http';
import { Logger } from '@nestjs/common';
import { freePort } from '../../test/free-port.js';
import type { Config } from '../shared/config/config.js';
import { PrometheusMetrics } from './prometheus-metrics.js';
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

  // A page may have made a name resolve to this address.
  it.each([
    ['GET /metrics', '[::1]:9464', 200],
    ['GET /metrics', 'LOCALHOST:9464', 200],
    ['GET /metrics', 'instance-1:9464', 200],
    ['GET /metrics', 'rebound.example', 421],
    ['GET /metrics', '127.0.0.1.example:9464', 421],
    ['GET /health/live', HOST, 404],
    ['POST /metrics', HOST, 404],
  ])('responds to %s at the host %s with %i', async (route, host, status) => {
    const [method, path] = route.split(' ') as [string, string];
    const request = http.request(url + path, { method, headers: { host } }).end();
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    expect(response.resume().statusCode).toBe(status);
  });

  it('responds with 500, and serves on, where the metrics cannot be collected', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    jest.spyOn(metrics, 'text').mockRejectedValueOnce(new Error('no metrics'));

    expect((await fetch(`${url}/metrics`)).status).toBe(500);
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
    expect(log).toHaveBeenCalledTimes(1);
    log.mockRestore();
  });

  it('explains a start on a port that is in use, with the name of its own variable', async () => {
    const metricsPort = Number(new URL(url).port);
    const second = new MetricsServer({ metricsPort, metricsHost: HOST } as Config, metrics);
    await expect(second.onApplicationBootstrap()).rejects.toThrow(
      `${HOST}:${metricsPort} is already in use: stop the program that uses it, or set another METRICS_PORT.`,
    );
  });
});
