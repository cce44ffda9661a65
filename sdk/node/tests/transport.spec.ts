import type { FetchInit } from '../src/transport.js';
import type { LicenseError } from '../src/license-error.js';
import { KEY, NOWHERE, useCustomer } from '../../../test/sdk/customer.js';
import { type Reply } from '../../../test/sdk/scripted-service.js';
import { issueCertificate } from '../../../test/sdk/issuer.js';

const customer = useCustomer();

const failure = async (options: object): Promise<LicenseError> =>
  (await customer
    .license(options)
    .activate(KEY)
    .catch((error: unknown) => error)) as LicenseError;

const falselyCompressed: Reply = (response) => {
  response.writeHead(200, { 'Content-Encoding': 'gzip', Connection: 'close' });
  response.write('{"status":"revoked"}', () => response.destroy());
};

it('a response that claims to be compressed, and is not, changes nothing, and holds back nothing beyond the timeout', async () => {
  await customer.activated();
  await customer.script(falselyCompressed);
  const { state, reason } = await customer.license({ timeout: 200 }).refresh();
  expect([state, reason]).toEqual([
    'valid',
    expect.stringMatching(/^(timeout|no_response)$/) as string,
  ]);
});

it('the cause of an error says why there is no connection', async () => {
  expect(await failure({ service: NOWHERE })).toMatchObject({
    ...{ code: 'no_response', cause: { code: 'ECONNREFUSED' } },
  });
});

describe('the option fetch', () => {
  it('sends the requests in place of the global one', async () => {
    const urls: string[] = [];
    const fetch = async (url: string, init: FetchInit) => {
      urls.push(`${init.method} ${url} ${init.redirect}`);
      const body = { status: 'active', certificate: issueCertificate() };
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
    expect(endless).toMatchObject({ code: 'timeout', cause: { name: 'ExchangeTimeout' } });
  });
});

describe('an argument that TypeScript rejects', () => {
  it.each([undefined, null, 1])('is no key: %j', async (key) => {
    const activation = customer.license().activate(key as unknown as string);
    await expect(activation).rejects.toMatchObject({ code: 'LICENSE_KEY_REQUIRED' });
  });

  it.each([undefined, { toString: () => issueCertificate() }])('is no certificate', (text) => {
    expect(() => customer.license().install(text as unknown as string)).toThrow(
      expect.objectContaining({ code: 'format' }) as Error,
    );
  });
});
