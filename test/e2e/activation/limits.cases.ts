import { IS_FULL } from '../../scope.js';
import http from 'node:http';
import { exchange } from '../../http-exchange.js';
import { atOnce, countsOf, rateLimitOf, rejectionOf } from '../responses.js';
import type { HttpResponse } from '../../http-caller.js';
import { unknownKey } from '../developer.js';
import { useApp } from '../use-app.js';
import { TestApp } from '../../app.js';
import { AppendingProxy } from '../../nginx/appending-proxy.js';
import { itWithNginx, nginx } from '../../nginx/nginx.js';

const UNKNOWN = unknownKey();
const REQUESTS = IS_FULL ? 10_000 : 500;
const CLIENTS = 50;
const OF_EACH = IS_FULL ? 40 : 10;

const repeat = async (times: number, send: () => Promise<HttpResponse>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) statuses.push((await send()).status);
  return statuses;
};

describe('The activation limit', () => {
  const app = useApp({ ACTIVATION_LIMIT: '', TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' });

  it('allows an address 5 requests in 15 minutes, counts them in headers, and rejects the sixth as specified', async () => {
    let claimed = 0;
    // Only the part of X-Forwarded-For added by trusted proxies counts.
    const send = () => {
      const from = `198.51.100.${(claimed += 1)}, 203.0.113.2, 10.1.2.3`;
      return app.post('/validate/activate', { key: UNKNOWN }, { from });
    };
    expect(rateLimitOf(await send())).toEqual(['5', '4', '900']);
    app.clock.advance({ seconds: 100 });
    expect(await repeat(4, send)).toEqual([404, 404, 404, 404]);
    const sixth = await send();

    expect(rejectionOf(sixth)).toEqual([429, '5', '0', '800', '800']);
    expect(sixth.body).toEqual({
      ...{ success: false, errors: 'too many requests, please try again later.', status: 429 },
    });
    // Rejected requests neither count nor extend the window.
    app.clock.advance({ seconds: 799 });
    expect(await repeat(5, send)).toEqual(Array(5).fill(429));
    app.clock.advance({ seconds: 1 });
    expect(await repeat(6, send)).toEqual([404, 404, 404, 404, 404, 429]);
  });

  it('also counts malformed requests and successful activations', async () => {
    const { key } = await app.createLicense(await app.register());
    const bodies = ['{"key":', '[]', '{}', '['.repeat(3000), JSON.stringify({ key }), '{}'];
    const next = () => {
      const call = { from: '203.0.113.4' };
      return app.send('POST', '/validate/activate', bodies.shift(), call);
    };

    expect(await repeat(6, next)).toEqual([400, 400, 400, 400, 200, 429]);
  });
});

/** A header that claims another address each time, in one of the forms attackers try. */
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

/** The outcomes of requests from one address to activate an unknown key, each claiming another address. */
async function outcomesOf(url: string, count: number, first = 0, localAddress = '127.0.0.1') {
  const agent = new http.Agent({ keepAlive: true, maxSockets: 1, localAddress });
  const body = JSON.stringify({ key: UNKNOWN });
  const responses = await atOnce(count, (i) => {
    const headers = { 'Content-Type': 'application/json', ...spoofed(first + i) };
    return exchange(`${url}/validate/activate`, { method: 'POST', headers, body, agent });
  });
  agent.destroy();
  return countsOf(responses.map((response) => ({ ...response, body: undefined })));
}

describe('S1: the activation limit of 5 holds for the real address', () => {
  let app: TestApp;

  const start = async (trustedProxies: string) => {
    const env = { ACTIVATION_LIMIT: '', TRUSTED_PROXIES: trustedProxies, LOG_LEVEL: 'warn' };
    app = await TestApp.start('SQLite', env);
  };
  afterEach(() => app.stop());

  const warnings = () => app.log.filter((line) => line.includes('TRUSTED_PROXIES'));

  it(`of ${REQUESTS} requests from one address claiming a different one each time, 5 pass, and the log reports it once`, async () => {
    await start('');
    expect(await outcomesOf(app.url, REQUESTS)).toEqual({ 404: 5, 429: REQUESTS - 5 });
    expect(warnings()).toHaveLength(1);
  });

  itWithNginx(
    `of ${CLIENTS * OF_EACH} requests of ${CLIENTS} clients behind a trusted nginx that appends to X-Forwarded-For, 5 of each pass`,
    async () => {
      await start('127.0.0.1');
      const proxy = await AppendingProxy.start(String(nginx), app.url);
      const outcomes = await atOnce(CLIENTS, (i) =>
        outcomesOf(proxy.url, OF_EACH, i * OF_EACH, `127.0.1.${i + 1}`),
      );
      expect(outcomes).toEqual(Array(CLIENTS).fill({ 404: 5, 429: OF_EACH - 5 }));
      expect(warnings()).toEqual([]);
      await proxy.stop();
    },
  );
});
