import { Resolver } from 'node:dns/promises';
import { ClientsService } from '../../../src/clients/clients.service.js';
import { RateLimits } from '../../../src/limits/rate-limits.js';
import type { HttpResponse } from '../../http-caller.js';
import { PASSWORD } from '../developer.js';
import { countsOf } from '../responses.js';
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
    let started = 0;
    jest.spyOn(app.nest.get(ClientsService), 'list').mockImplementation(async () => {
      started += 1;
      await end;
      return { data: [], next: null };
    });
    const responses: HttpResponse[] = [];
    const send = async ({ token }: { token: string }, index: number) =>
      responses.push(await app.get('/clients', { token, from: `192.0.2.${index}` }));
    const all = [...Array<typeof ada>(40).fill(ada), bob].map(send);
    while (started + responses.length < 41) await new Promise(setImmediate);
    for (const { headers } of responses) expect(headers.get('retry-after')).toBe('1');
    expect(countsOf(responses)).toEqual({ TOO_MANY_CONCURRENT_REQUESTS: 8 });
    endAll();
    await Promise.all(all);
    expect(countsOf(responses)).toEqual({ 200: 33, TOO_MANY_CONCURRENT_REQUESTS: 8 });
  });

  it('to log in to one account from many addresses leave the password checks of others alone', async () => {
    const [ada, bob] = [await app.register(), await app.register()];
    const end = new Promise<void>((resolve) => (endAll = resolve));
    let started = 0;
    // Each request waits before it is known whose it is.
    jest.spyOn(app.nest.get(RateLimits), 'check').mockImplementation(async () => {
      started += 1;
      await end;
      return undefined;
    });
    const responses: HttpResponse[] = [];
    const send = async ({ email }: { email: string }, index: number) =>
      responses.push(
        await app.post('/auth/login', { email, password: PASSWORD }, { from: `192.0.2.${index}` }),
      );
    const all = [...Array<typeof ada>(20).fill(ada), bob].map(send);
    while (started + responses.length < 21) await new Promise(setImmediate);
    expect(responses).toEqual([]);
    endAll();
    await Promise.all(all);
    expect(countsOf(responses)).toEqual({ 200: 5, TOO_MANY_CONCURRENT_REQUESTS: 16 });
  });

  it('waiting for name servers are limited to four per account, and take nothing from other requests or accounts', async () => {
    const [ada, bob] = [await app.register(), await app.register()];
    const end = new Promise<void>((resolve) => (endAll = resolve));
    const resolve4 = jest.spyOn(Resolver.prototype, 'resolve4');
    resolve4.mockImplementation(() => end.then(() => []) as never);
    jest.spyOn(Resolver.prototype, 'resolve6').mockRejectedValue(new Error('ENODATA'));
    const fields = { url: 'https://shop.example/', types: ['*'] };
    const responses: HttpResponse[] = [];
    const create = async () => responses.push(await app.post('/webhooks', fields, ada));
    const all = Array.from({ length: 8 }, create);
    while (resolve4.mock.calls.length + responses.length < 8) await new Promise(setImmediate);
    expect(countsOf(responses)).toEqual({ TOO_MANY_CONCURRENT_REQUESTS: 4 });
    expect((await app.get('/webhooks', ada)).status).toBe(200);
    const url = 'https://8.8.8.8/';
    expect((await app.post('/webhooks', { ...fields, url }, bob)).status).toBe(201);
    endAll();
    await Promise.all(all);
    expect(countsOf(responses)).toEqual({ 201: 4, TOO_MANY_CONCURRENT_REQUESTS: 4 });
  });
});
