import type { ServerResponse } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { HANG_UP, json, page, type Reply, SILENCE, TRICKLE } from './scripted-service.js';
import { active, activeWith, Customer, ISSUER, KEY, NOWHERE, validation } from './customer.js';
import { DAY, NOW } from './issuer.js';

let customer: Customer;
beforeEach(() => (customer = new Customer()));
afterEach(async () => {
  jest.restoreAllMocks();
  await customer.leave();
});

const LIMIT = { success: false, errors: 'too many requests, please try again later.', status: 429 };
const raw =
  (text: string, type = 'application/json'): Reply =>
  (response: ServerResponse) =>
    response.writeHead(200, { 'Content-Type': type }).end(text);
const body = () =>
  JSON.stringify({ valid: true, status: 'active', certificate: ISSUER.certificate() });

/** A good response that breaks off in its middle. */
const HALF: Reply = (response) => {
  const text = body();
  response.writeHead(200, { 'Content-Length': text.length });
  response.write(text.slice(0, text.length / 2), () => response.destroy());
};
const NEVER_ENDING: Reply = (response) => {
  response.writeHead(200, { 'Content-Type': 'application/json' });
  const write = () => {
    while (!response.destroyed && response.write('x'.repeat(16_384)));
    if (!response.destroyed) response.once('drain', write);
  };
  write();
};

describe.each<[string, string, Reply[]]>([
  ['a hang-up', 'no_response', [HANG_UP]],
  ['half a response', 'no_response', [HALF]],
  ['a hang-up at the activation', 'no_response', [validation('pending'), HANG_UP]],
  ['silence', 'timeout', [SILENCE]],
  ['a body that trickles', 'timeout', [TRICKLE]],
  ['silence at the activation', 'timeout', [validation('pending'), SILENCE]],
  ['a rate limit', 'rate_limited', [json(429, LIMIT)]],
  ['a rate limit at the activation', 'rate_limited', [validation('pending'), json(429, LIMIT)]],
  ['a rate limit without JSON', 'rate_limited', [page(429)]],
  ['500', 'server_error', [json(500, { valid: false })]],
  ['502 of a proxy', 'server_error', [page(502)]],
  ['503 with a body that says revoked', 'server_error', [json(503, { status: 'revoked' })]],
  ['a redirect', 'not_the_service', [page(302, { Location: '/login' })]],
  ['a permanent redirect', 'not_the_service', [page(308, { Location: '/login' })]],
  ["a captive portal's page", 'not_the_service', [page(200)]],
  ["a captive portal's page declared as JSON", 'not_the_service', [raw('<h1>Log in</h1>')]],
  ['no content', 'not_the_service', [(response) => response.writeHead(204).end()]],
  ['201 with a good body', 'not_the_service', [json(201, { status: 'active' })]],
  ['an empty body', 'not_the_service', [raw('')]],
  ['JSON that is cut off', 'not_the_service', [(response) => raw(body().slice(0, -1))(response)]],
  ['JSON that is an array', 'not_the_service', [json(200, [{ status: 'revoked' }])]],
  ['JSON that is null', 'not_the_service', [raw('null')]],
  ['JSON without a status', 'not_the_service', [json(200, { valid: true })]],
  ['a status that does not exist', 'not_the_service', [json(200, { status: 'toString' })]],
  ['a status that is no text', 'not_the_service', [json(200, { status: ['revoked'] })]],
  ['REVOKED in another case', 'not_the_service', [json(200, { status: 'REVOKED' })]],
  ['more than 64 KiB', 'not_the_service', [raw(body().padEnd(65_537))]],
  ['a body without an end', 'not_the_service', [NEVER_ENDING]],
  ['an unknown key', 'unknown_key', [validation('invalid')]],
  ['400', 'request_rejected', [json(400, { valid: false, code: 'VALIDATION_ERROR' })]],
  ['401 of a proxy', 'request_rejected', [page(401)]],
  ['404 of another server', 'request_rejected', [page(404)]],
  ['active without a certificate', 'no_certificate', [json(200, { status: 'active' })]],
  ['a certificate that is null', 'no_certificate', [activeWith(null)]],
  ['a certificate that is damaged', 'bad_certificate', [activeWith('a.b.c')]],
])('%s', (_name, reason, replies) => {
  it(`changes nothing but the reason: ${reason}`, async () => {
    await customer.activated();
    const before = customer.state;
    await customer.script(...replies);
    const license = customer.license(reason === 'timeout' ? { timeout: 100 } : {});
    const status = {
      state: 'valid',
      until: new Date((NOW + 7 * DAY) * 1000),
      services: ['Hosting'],
      reason,
    };
    expect(await license.refresh()).toEqual(status);
    expect(license.status()).toEqual(status);
    expect(customer.state).toEqual(before);
  });

  it(`makes activate throw ${reason}, or the service's own code`, async () => {
    await customer.script(...replies);
    const license = customer.license(reason === 'timeout' ? { timeout: 100 } : {});
    const code = reason === 'request_rejected' ? /^(request_rejected|VALIDATION_ERROR)$/ : reason;
    await expect(license.activate(KEY)).rejects.toMatchObject({
      name: 'LicenseError',
      code: expect.stringMatching(code) as string,
    });
    expect(license.status()).toMatchObject({ state: 'none' });
  });
});

describe('a missing response', () => {
  it('of a port on which nothing listens is no_response', async () => {
    await customer.activated();
    const license = customer.license({ service: NOWHERE });
    expect(await license.refresh()).toMatchObject({ state: 'valid', reason: 'no_response' });
  });

  it('of a name that does not exist is no_response', async () => {
    await customer.activated();
    const license = customer.license({ service: 'https://licenses.invalid' });
    expect(await license.refresh()).toMatchObject({ state: 'valid', reason: 'no_response' });
  });

  it('of a server that does not speak TLS is no_response', async () => {
    const service = await customer.activated().then(() => customer.script(active()));
    const license = customer.license({ service: service.url.replace('http:', 'https:') });
    expect(await license.refresh()).toMatchObject({ state: 'valid', reason: 'no_response' });
  });

  it('of a server that does not speak HTTP is no_response', async () => {
    await customer.activated();
    const server = net.createServer((socket) => socket.end('220 mail.example ESMTP\r\n'));
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const service = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    expect(await customer.license({ service }).refresh()).toMatchObject({ reason: 'no_response' });
    server.close();
  });

  it.each([
    ['rate_limited', 429],
    ['server_error', 503],
    ['not_the_service', 302],
  ])('is %s by the status alone, though the body breaks off', async (reason, status) => {
    await customer.activated();
    const body = new ReadableStream({
      start: (controller) => controller.error(new TypeError('terminated')),
    });
    jest.spyOn(globalThis, 'fetch').mockResolvedValueOnce(new Response(body, { status }));
    expect(await customer.license().refresh()).toMatchObject({ state: 'valid', reason });
  });

  it('is not a response of 64 KiB, the most that is read', async () => {
    await customer.activated();
    await customer.script(raw(body().padEnd(65_536)));
    expect(await customer.license().refresh()).toMatchObject({ state: 'valid', reason: null });
  });

  it.each([
    [5000, undefined],
    [250, 250],
  ])('is a timeout after %j ms for the option %j', async (expected, timeout) => {
    await customer.activated();
    const signal = jest.spyOn(AbortSignal, 'timeout');
    await customer.license({ service: NOWHERE, timeout }).refresh();
    expect(signal.mock.calls).toEqual([[expected]]);
  });

  it('never follows a redirect', async () => {
    await customer.activated();
    const service = await customer.script(page(307, { Location: '/validate' }), active());
    await customer.license().refresh();
    expect(service.asked).toHaveLength(1);
  });

  it('is reported until the next good response', async () => {
    await customer.activated();
    await customer.script(page(503), active());
    const license = customer.license();
    await license.refresh();
    expect(license.status().reason).toBe('server_error');
    expect(license.status().reason).toBe('server_error');
    expect((await license.refresh()).reason).toBeNull();
    expect(license.status().reason).toBeNull();
  });

  it('is not reported after a rejection, an installed certificate or forget', async () => {
    await customer.activated();
    await customer.script(page(503), validation('revoked'), page(503));
    const license = customer.license();
    await license.refresh();
    expect(await license.refresh()).toMatchObject({ state: 'revoked', reason: 'rejected' });
    await license.refresh();
    expect(license.install(ISSUER.certificate())).toMatchObject({ state: 'valid', reason: null });
    await license.refresh();
    license.forget();
    customer.license().install(ISSUER.certificate());
    expect(license.status()).toMatchObject({ state: 'valid', reason: null });
  });

  it('is not reported by a program that has restarted', async () => {
    await customer.activated();
    await customer.script(page(503));
    await customer.license().refresh();
    expect(customer.license().status().reason).toBeNull();
  });

  it('does not extend a certificate', async () => {
    await customer.activated();
    customer.wait(7);
    await customer.script(page(503));
    expect(await customer.license().refresh()).toMatchObject({
      state: 'ended',
      reason: 'server_error',
    });
  });
});
