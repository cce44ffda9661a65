import { TestApp } from '../../app.js';
import { AppendingProxy } from '../../nginx/appending-proxy.js';
import { itWithNginx, nginx } from '../../nginx/nginx.js';
import { timesInScope } from '../../scope.js';
import { activatePipelined } from './pipelined.js';

const REQUESTS = timesInScope(10_000);
const CLIENTS = 50;

/** A header that claims another address each time, in one of the forms that attackers try. */
function spoofed(i: number): Record<string, string> {
  const address = `203.0.${i >> 8}.${i & 255}`;
  const forms = [
    { 'X-Forwarded-For': address },
    { 'X-Forwarded-For': `${address}, 10.0.0.1, 127.0.0.1` },
    { 'X-Forwarded-For': `127.0.0.1, ${address}:${i}` },
    { 'X-Forwarded-For': `2001:db8:${i.toString(16)}::1` },
    { 'X-Forwarded-For': `"${address}", unknown` },
    { 'X-Real-IP': address, Forwarded: `for=${address}`, 'X-Client-IP': address },
    { 'CF-Connecting-IP': address, 'True-Client-IP': address, 'x-forwarded-for': address },
  ];
  return forms[i % forms.length]!;
}

const times = <T>(count: number, make: (i: number) => T) =>
  Array.from({ length: count }, (_, i) => make(i));
const passed = (statuses: number[]) => statuses.filter((status) => status !== 429).length;

describe('S1: the activation limit of 5 holds for the real address', () => {
  let app: TestApp;

  const start = async (trustedProxies: string) => {
    const env = { ACTIVATION_LIMIT: '', TRUSTED_PROXIES: trustedProxies, LOG_LEVEL: 'warn' };
    app = await TestApp.start('SQLite', env);
  };
  afterEach(() => app.stop());

  const warnings = () => app.log.filter((line) => line.includes('TRUSTED_PROXIES'));

  it(`of ${REQUESTS} requests of one address that claim another each time, 5 pass, and the log says so once`, async () => {
    await start('');
    const statuses = await activatePipelined(app.url, times(REQUESTS, spoofed));

    expect(statuses).toHaveLength(REQUESTS);
    expect(passed(statuses)).toBe(5);
    expect(statuses.slice(0, 6)).toEqual([404, 404, 404, 404, 404, 429]);
    expect(warnings()).toHaveLength(1);
  });

  itWithNginx(
    `of ${REQUESTS} requests of ${CLIENTS} clients behind a trusted nginx that appends to X-Forwarded-For, 5 of each pass`,
    async () => {
      await start('127.0.0.1');
      const proxy = await AppendingProxy.start(String(nginx), app.url);
      const requestsOfEach = REQUESTS / CLIENTS;
      const each = times(CLIENTS, async (client) => {
        const requests = times(requestsOfEach, (i) => spoofed(client * requestsOfEach + i));
        const statuses = await activatePipelined(proxy.url, requests, `127.0.1.${client + 1}`);
        return [statuses.length, passed(statuses)];
      });

      expect(await Promise.all(each)).toEqual(times(CLIENTS, () => [requestsOfEach, 5]));
      expect(warnings()).toEqual([]);
      await proxy.stop();
    },
  );
});
