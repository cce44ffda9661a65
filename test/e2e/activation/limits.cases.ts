import type { Call, HttpResponse } from '../../http-caller.js';
import { unknownKey } from '../developer.js';
import { rateLimitOf, rejectionOf } from '../rate-limit.js';
import { useApp } from '../use-app.js';

const UNKNOWN = unknownKey();

const repeat = async (times: number, send: () => Promise<HttpResponse>): Promise<number[]> => {
  const statuses: number[] = [];
  for (let i = 0; i < times; i++) statuses.push((await send()).status);
  return statuses;
};

describe('The activation limit', () => {
  const app = useApp({ ACTIVATION_LIMIT: '', TRUSTED_PROXIES: '127.0.0.1,10.0.0.0/8' });

  const activate = (call: Call) => app.post('/validate/activate', { key: UNKNOWN }, call);

  it('allows an address 5 requests in 15 minutes, counts them in headers, and rejects the sixth as specified', async () => {
    let claimed = 0;
    // Only the part of X-Forwarded-For counts that trusted proxies have added.
    const send = () => activate({ from: `198.51.100.${(claimed += 1)}, 203.0.113.2, 10.1.2.3` });
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

  it('counts malformed requests and successful activations, too', async () => {
    const { key } = await app.createLicense(await app.register());
    const bodies = ['{"key":', '[]', '{}', '['.repeat(3000), JSON.stringify({ key }), '{}'];
    const next = () => {
      const call = { from: '203.0.113.4' };
      return app.send('POST', '/validate/activate', bodies.shift(), call);
    };

    expect(await repeat(6, next)).toEqual([400, 400, 400, 400, 200, 429]);
  });
});

// src/activation/license-check-limits.spec.ts tries which requests are counted together.
describe('The validation limits', () => {
  const app = useApp({ VALIDATION_LIMIT: '4', VALIDATION_ADDRESS_LIMIT: '' });

  it('count a key for a minute, and what can be no key towards the limit of the address', async () => {
    const from = '203.0.113.1';
    const validate = () => app.post('/validate', { key: UNKNOWN }, { from });
    expect(await repeat(4, validate)).toEqual([200, 200, 200, 200]);
    const rejected = await validate();
    expect(rejectionOf(rejected)).toEqual([429, '4', '0', '60', '60']);
    expect(rejected.body).toMatchObject({ valid: false, code: 'TOO_MANY_REQUESTS' });
    for (const [i, body] of ['{"key":', '{"key":7}', '{"key":"no key"}'].entries()) {
      const response = await app.send('POST', '/validate', body, { from: `203.0.114.${i}` });
      expect(rateLimitOf(response)).toEqual(['3000', '2999', '60']);
    }
  });
});
