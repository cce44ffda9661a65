import type { FastifyReply, FastifyRequest } from 'fastify';
import { Exposition } from '../../test/exposition.js';
import { PrometheusMetrics } from '../metrics/prometheus-metrics.js';
import { RequestLog } from './request-log.js';

it('RequestLog counts and measures requests whose caller disconnected, which are often the slowest', async () => {
  const metrics = new PrometheusMetrics();
  const request = {
    ...{ method: 'GET', routeOptions: { url: '/clients' }, clientAddress: '192.0.2.1' },
    log: { info: jest.fn() },
  };
  const response = { req: { socket: { destroyed: true } }, writableFinished: false };
  new RequestLog(metrics).logWhenClosed(
    request as unknown as FastifyRequest,
    { raw: response, elapsedTime: 9 } as unknown as FastifyReply,
  );
  const text = new Exposition(await metrics.text());
  const route = { method: 'GET', route: '/clients' };
  const aborted = { ...route, status: 'aborted' };
  expect(text.valueOf('license_service_http_requests_total', aborted)).toBe(1);
  const sum = text.valueOf('license_service_http_request_duration_seconds_sum', route);
  expect(sum).toBeCloseTo(0.009);
});
