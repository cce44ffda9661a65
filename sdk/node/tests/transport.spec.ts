import type { FetchInit } from '../src/transport.js';
import { KEY, NOWHERE, useCustomer } from '../../../test/sdk/customer.js';
import { type Reply } from '../../../test/sdk/scripted-service.js';
import { issueCertificate } from '../../../test/sdk/issuer.js';

const customer = useCustomer();

const FAILURE = new Error('no proxy');
const failing = () => Promise.reject(FAILURE);
const hanging = () => new Promise<never>(() => undefined);

const falselyCompressed: Reply = (response) => {
  response.writeHead(200, { 'Content-Encoding': 'gzip', Connection: 'close' });
  response.write('{"status":"revoked"}', () => response.destroy());
};

it('a response that falsely claims to be compressed changes nothing, and delays nothing beyond the timeout', async () => {
  await customer.activated();
  await customer.script(falselyCompressed);
  const { state, reason } = await customer.license({ timeout: 200 }).refresh();
  expect([state, reason]).toEqual([
    'valid',
    expect.stringMatching(/^(timeout|no_response)$/) as string,
  ]);
});

it.each([
  ['a connection that is rejected', {}, { code: 'no_response', cause: { code: 'ECONNREFUSED' } }],
  ['an error of the option fetch', { fetch: failing }, { code: 'no_response', cause: FAILURE }],
  [
    'no result of fetch',
    { fetch: hanging, timeout: 50 },
    { code: 'timeout', cause: { name: 'ExchangeTimeout' } },
  ],
])('an error has %s as its cause', async (_name, options, expected) => {
  await expect(customer.license(options).activate(KEY)).rejects.toMatchObject(expected);
});

it('the option fetch replaces the global one', async () => {
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

describe('an argument that TypeScript rejects', () => {
  it.each([undefined, null, 1])('is not a key: %j', async (key) => {
    const activation = customer.license().activate(key as unknown as string);
    await expect(activation).rejects.toMatchObject({ code: 'LICENSE_KEY_REQUIRED' });
    const ensured = await customer.license().ensure(key as unknown as string);
    expect(ensured).toMatchObject({ state: 'none', isValid: false });
  });

  it.each([undefined, { toString: () => issueCertificate() }])('is not a certificate', (text) => {
    expect(() => customer.license().install(text as unknown as string)).toThrow(
      expect.objectContaining({ code: 'format' }) as Error,
    );
  });
});
