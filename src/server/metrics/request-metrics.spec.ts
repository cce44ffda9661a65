import { Exposition } from '../../../test/exposition.js';
import { PrometheusMetrics } from '../../shared/metrics/prometheus-metrics.js';
import { RequestMetrics } from './request-metrics.js';

describe('RequestMetrics', () => {
  let metrics: PrometheusMetrics;
  let requests: RequestMetrics;
  const REQUESTS = 'license_service_http_requests_total';
  const DURATION = 'license_service_http_request_duration_seconds';
  const exposed = async () => new Exposition(await metrics.text());

  beforeEach(() => {
    metrics = new PrometheusMetrics();
    requests = new RequestMetrics(metrics);
  });

  it('counts requests by method, route and status, and measures their responses in seconds', async () => {
    requests.count('GET', '/clients/:id', { status: 200 }, 30);
    requests.count('GET', '/clients/:id', { status: 200 }, 300);
    requests.count('GET', '/clients/:id', { status: 404 }, 2);
    requests.count('PATCH', '/clients/:id', { status: 200 }, 2);
    const text = await exposed();

    const route = { method: 'GET', route: '/clients/:id' };
    expect(text.valueOf(REQUESTS, { ...route, status: '200' })).toBe(2);
    expect(text.valueOf(REQUESTS, { ...route, status: '404' })).toBe(1);
    expect(text.valueOf(`${DURATION}_count`, route)).toBe(3);
    expect(text.valueOf(`${DURATION}_sum`, route)).toBeCloseTo(0.332);
    expect(text.valueOf(`${DURATION}_bucket`, { le: '0.05', ...route })).toBe(2);
  });

  it('counts requests without a route as one', async () => {
    requests.count('GET', undefined, { status: 404 }, 1);

    const labels = { method: 'GET', route: 'none', status: '404' };
    expect((await exposed()).valueOf(REQUESTS, labels)).toBe(1);
  });

  it('counts and measures a request whose caller has gone: those who wait longest give up', async () => {
    requests.count('GET', '/clients', { aborted: true }, 9);
    const text = await exposed();

    const route = { method: 'GET', route: '/clients' };
    expect(text.valueOf(REQUESTS, { ...route, status: 'aborted' })).toBe(1);
    expect(text.valueOf(`${DURATION}_sum`, route)).toBeCloseTo(0.009);
  });
});
