import { Resolver } from 'node:dns/promises';
import { ClientsService } from '../../../src/clients/clients.service.js';
import { RateLimits } from '../../../src/limits/rate-limits.js';
import { PASSWORD } from '../developer.js';
import { countsOf, untilHeld } from '../responses.js';
import { useApp } from '../use-app.js';

describe('R10: requests that never end', () => {
  const app = useApp({}, { isBounded: true });
  let endAll: () => void = () => undefined;
  afterEach(() => {
    endAll();
    jest.restoreAllMocks();
  });

  it('take the 32 slots of their account, but none of other accounts', async () => {
    const [ada, bob] = [await app.register(), await app.register()];
    const end = new Promise<void>((resolve) => (endAll = resolve));
    const list = jest.spyOn(app.nest.get(ClientsService), 'list');
    list.mockImplementation(() => end.then(() => ({ data: [], next: null })));
    const send = ({ token }: { token: string }, index: number) =>
      app.get('/clients', { token, from: `192.0.2.${index}` });
    const all = [...Array<typeof ada>(40).fill(ada), bob].map(send);
    const rejected = await untilHeld(all, list);
    for (const { headers } of rejected) expect(headers.get('retry-after')).toBe('1');
    expect(countsOf(rejected)).toEqual({ TOO_MANY_CONCURRENT_REQUESTS: 8 });
    endAll();
    expect(countsOf(await Promise.all(all))).toEqual({ 200: 33, TOO_MANY_CONCURRENT_REQUESTS: 8 });
  });

  it('to log in to one account from many addresses do not block the password checks of other accounts', async () => {
    const [ada, bob] = [await app.register(), await app.register()];
    const end = new Promise<void>((resolve) => (endAll = resolve));
    // Each request waits before it is known whose it is.
    const check = jest.spyOn(app.nest.get(RateLimits), 'check');
    check.mockImplementation(() => end.then(() => undefined));
    const send = ({ email }: { email: string }, index: number) =>
      app.post('/auth/login', { email, password: PASSWORD }, { from: `192.0.2.${index}` });
    const all = [...Array<typeof ada>(20).fill(ada), bob].map(send);
    expect(await untilHeld(all, check)).toEqual([]);
    endAll();
    expect(countsOf(await Promise.all(all))).toEqual({ 200: 5, TOO_MANY_CONCURRENT_REQUESTS: 16 });
  });

  it('that wait for name servers are limited to four per account, and take nothing from other requests or accounts', async () => {
    const [ada, bob] = [await app.register(), await app.register()];
    const end = new Promise<void>((resolve) => (endAll = resolve));
    const resolve4 = jest.spyOn(Resolver.prototype, 'resolve4');
    resolve4.mockImplementation(() => end.then(() => []) as never);
    jest.spyOn(Resolver.prototype, 'resolve6').mockRejectedValue(new Error('ENODATA'));
    const fields = { url: 'https://shop.example/', types: ['*'] };
    const all = Array.from({ length: 8 }, () => app.post('/webhooks', fields, ada));
    const rejected = await untilHeld(all, resolve4);
    expect(countsOf(rejected)).toEqual({ TOO_MANY_CONCURRENT_REQUESTS: 4 });
    expect((await app.get('/webhooks', ada)).status).toBe(200);
    const url = 'https://8.8.8.8/';
    expect((await app.post('/webhooks', { ...fields, url }, bob)).status).toBe(201);
    endAll();
    expect(countsOf(await Promise.all(all))).toEqual({ 201: 4, TOO_MANY_CONCURRENT_REQUESTS: 4 });
  });
});
