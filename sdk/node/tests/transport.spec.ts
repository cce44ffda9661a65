import type { FetchInit } from '../src/transport.js';
import type { LicenseError } from '../src/license-error.js';
import { active, Customer, ISSUER, KEY, NOWHERE } from '../../../test/sdk/customer.js';
import { NOW } from '../../../test/sdk/issuer.js';
import { type Reply } from '../../../test/sdk/scripted-service.js';

let customer: Customer;
beforeEach(() => (customer = new Customer()));
afterEach(() => customer.leave());

const failure = async (options: object): Promise<LicenseError> =>
  (await customer
    .license(options)
    .activate(KEY)
    .catch((error: unknown) => error)) as LicenseError;

describe('a response that claims to be compressed, and is not', () => {
  const falselyCompressed: Reply = (response) => {
    response.writeHead(200, { 'Content-Encoding': 'gzip', Connection: 'close' });
    response.write('{"status":"revoked"}', () => response.destroy());
  };

  it('changes nothing, and does not hold back refresh and activate beyond the timeout', async () => {
    const license = await customer.activated();
    await customer.script(falselyCompressed);
    const options = { timeout: 200 };
    const { state, reason } = await customer.license(options).refresh();
    expect([state, reason]).toEqual([
      'valid',
      expect.stringMatching(/^(timeout|no_response)$/) as string,
    ]);
    expect((await failure(options)).code).toBe(reason);
    expect(license.status()).toMatchObject({ state: 'valid' });
  });
});

describe('the cause of an error', () => {
  it('tells a connection that is rejected from a name that does not exist', async () => {
    expect(await failure({ service: NOWHERE })).toMatchObject({
      ...{ code: 'no_response', cause: { code: 'ECONNREFUSED' } },
    });
    expect(await failure({ service: 'https://licenses.invalid' })).toMatchObject({
      code: 'no_response',
      cause: { code: expect.stringMatching(/^(ENOTFOUND|EAI_AGAIN)$/) as string },
    });
  });

  it('is a timeout', async () => {
    await customer.script(() => undefined);
    const { code, cause } = await failure({ timeout: 50 });
    expect([code, (cause as Error).name]).toEqual(['timeout', 'ExchangeTimeout']);
  });
});

describe('the option fetch', () => {
  it('sends the requests in place of the global one', async () => {
    const urls: string[] = [];
    const fetch = async (url: string, init: FetchInit) => {
      urls.push(`${init.method} ${url} ${init.redirect}`);
      const body = { status: 'active', certificate: ISSUER.certificate() };
      return new Response(JSON.stringify(body));
    };
    const license = customer.license({ fetch });
    expect(await license.activate(KEY)).toMatchObject({ state: 'valid' });
    expect(urls).toEqual([`POST ${NOWHERE}/validate manual`]);
  });

  it('is no_response whatever it throws, and a timeout if it never returns', async () => {
    const thrown = await failure({ fetch: () => Promise.reject(new Error('no proxy')) });
    expect(thrown).toMatchObject({ code: 'no_response', cause: { message: 'no proxy' } });
    const endless = await failure({ fetch: () => new Promise(() => undefined), timeout: 50 });
    expect(endless).toMatchObject({ code: 'timeout' });
  });
});

describe('a status', () => {
  it('has only its members in its JSON', async () => {
    const license = await customer.activated();
    const json = JSON.parse(JSON.stringify(license.status())) as object;
    expect(Object.keys(json)).toEqual(['state', 'until', 'services', 'entitlements', 'reason']);
  });

  it.each([undefined, null, 1])('rejects the key %j, which TypeScript does', async (key) => {
    const service = await customer.script(active({ issuedAt: NOW }));
    const activation = customer.license().activate(key as unknown as string);
    await expect(activation).rejects.toMatchObject({ code: 'LICENSE_KEY_REQUIRED' });
    expect(service.asked).toEqual([]);
  });

  it.each([undefined, { toString: () => ISSUER.certificate() }])(
    'rejects a certificate that is no text, which TypeScript does',
    (text) => {
      expect(() => customer.license().install(text as unknown as string)).toThrow(
        expect.objectContaining({ code: 'format' }) as Error,
      );
    },
  );
});
