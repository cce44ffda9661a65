import type { ServerResponse } from 'node:http';
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
  ['silence', 'timeout', [SILENCE]],
  ['a body that trickles', 'timeout', [TRICKLE]],
  ['a rate limit', 'rate_limited', [json(429, LIMIT)]],
  ['a rate limit at the activation', 'rate_limited', [validation('pending'), json(429, LIMIT)]],
  ['500', 'server_error', [json(500, { valid: false })]],
  ['503 with a body that says revoked', 'server_error', [json(503, { status: 'revoked' })]],
  ['a redirect', 'not_the_service', [page(302, { Location: '/login' })]],
  ["a captive portal's page", 'not_the_service', [page(200)]],
  ['201 with a good body', 'not_the_service', [json(201, { status: 'active' })]],
  ['JSON that is cut off', 'not_the_service', [(response) => raw(body().slice(0, -1))(response)]],
  ['JSON that is null', 'not_the_service', [raw('null')]],
  ['a status that does not exist', 'not_the_service', [json(200, { status: 'toString' })]],
  ['more than 64 KiB', 'not_the_service', [raw(body().padEnd(65_537))]],
  ['a body without an end', 'not_the_service', [NEVER_ENDING]],
  ['an unknown key', 'unknown_key', [validation('invalid')]],
  ['400', 'request_rejected', [json(400, { valid: false, code: 'VALIDATION_ERROR' })]],
  ['401 of a proxy', 'request_rejected', [page(401)]],
  ['active without a certificate', 'no_certificate', [json(200, { status: 'active' })]],
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
      entitlements: [],
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

  it('is reported until the next good response, or a rejection', async () => {
    await customer.activated();
    await customer.script(page(503), active(), page(503), validation('revoked'));
    const license = customer.license();
    const reasons: unknown[] = [];
    for (let i = 0; i < 4; i++) {
      reasons.push((await license.refresh()).reason);
      expect(license.status().reason).toBe(reasons.at(-1));
    }
    expect(reasons).toEqual(['server_error', null, 'server_error', 'rejected']);
  });

  it('never follows a redirect', async () => {
    await customer.activated();
    const service = await customer.script(page(307, { Location: '/validate' }), active());
    await customer.license().refresh();
    expect(service.asked).toHaveLength(1);
  });
});
