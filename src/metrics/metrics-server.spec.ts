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

  it.each([
    ['GET', '/metrics?name=up', 200],
    ['GET', '/health/live', 404],
    ['POST', '/metrics', 404],
  ])('responds to %s %s with %i', async (method, path, status) => {
    expect((await fetch(url + path, { method })).status).toBe(status);
  });

  it('omits a gauge whose value is unknown', async () => {
    let value: number | undefined = 7;
    metrics.gauge('backlog', 'Of this test', () => value);
    expect(await metrics.text()).toContain('\nlicense_service_backlog 7\n');
    value = undefined;
    expect(await metrics.text()).not.toContain('\nlicense_service_backlog ');
  });

  it('responds with 500 if the metrics cannot be collected, and continues to serve requests', async () => {
    const log = jest.spyOn(Logger.prototype, 'error').mockReturnValue();
    jest.spyOn(metrics, 'text').mockRejectedValueOnce(new Error('no metrics'));

    expect((await fetch(`${url}/metrics`)).status).toBe(500);
    expect((await fetch(`${url}/metrics`)).status).toBe(200);
    expect(log).toHaveBeenCalledTimes(1);
    log.mockRestore();
  });

  it('names its own variable if its port is in use', async () => {
    const metricsPort = Number(new URL(url).port);
    const second = new MetricsServer({ metricsPort, metricsHost: HOST } as Config, metrics);
    await expect(second.onApplicationBootstrap()).rejects.toThrow(
      `${HOST}:${metricsPort} is already in use. Stop the program that uses it or set a different METRICS_PORT.`,
    );
  });
});
