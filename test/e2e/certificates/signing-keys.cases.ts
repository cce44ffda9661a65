import { START } from '../../fake-clock.js';
import {
  activate,
  createLicense,
  LAPTOP,
  type LoggedInDeveloper,
  moveTo,
  NOBODYS,
  registerDeveloper,
} from '../developer.js';
import { expectError, expectInvalid, expectResponse } from '../expect-response.js';
import { useApp } from '../use-app.js';
import { issueCertificate, requestCertificate } from './issue-certificate.js';
import { signingKeysOf, thumbprint, verifyCertificate } from './verify-certificate.js';

const JWK = {
  ...{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' },
  x: expect.stringMatching(/^[\w-]{43}$/),
  kid: expect.stringMatching(/^[\w-]{43}$/),
};
const MINUTE = 60_000;
/** When a key is no longer published that was retired at START. */
const END = Date.parse(START) + 366 * 24 * 60 * MINUTE + MINUTE;

describe('The signing keys of an account', () => {
  const app = useApp();
  let ada: LoggedInDeveloper;

  beforeEach(async () => {
    app.clock.set(START);
    ada = await registerDeveloper(app);
  });

  const keySetOf = (issuer: string) => app.get(`/keys/${encodeURIComponent(issuer)}`);
  const published = async () =>
    ((await keySetOf(ada._id)).body.keys as { kid: string }[]).map(({ kid }) => kid);
  const post = (body: object) => app.post('/signing-keys/rotate', body, ada);
  /** Rotates the keys as they are now. */
  const rotate = async (fields: object = {}) => {
    const { current } = await signingKeysOf(app, ada);
    return post({ current: current.kid, ...fields });
  };
  const at = (time: number) => moveTo(app, ada, new Date(time).toISOString());

  it('GET /signing-keys creates two of the account alone, and returns the same from then on', async () => {
    const first = await app.get('/signing-keys', ada);
    const bob = await registerDeveloper(app);
    const foreign = await signingKeysOf(app, bob);

    expectResponse(first, 200, { issuer: ada._id, current: JWK, next: JWK });
    for (const { kid, x } of [first.body.current, first.body.next]) {
      expect(kid).toBe(thumbprint(x as string));
      expect(Buffer.from(x as string, 'base64url')).toHaveLength(32);
    }
    expect(foreign.issuer).toBe(bob._id);
    const all = [first.body.current, first.body.next, foreign.current, foreign.next];
    expect(new Set(all.map(({ x }) => x as string)).size).toBe(4);
    expect((await app.get('/signing-keys', ada)).body).toEqual(first.body);
  });

  it('GET /keys/:issuer shows both to everyone, the current one first, for a minute', async () => {
    const { issuer, current, next } = await signingKeysOf(app, ada);
    const response = await keySetOf(issuer);

    expectResponse(response, 200, { keys: [current, next] });
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  });

  it('GET /keys/:issuer is empty before the first use of the keys, and for what is no issuer', async () => {
    for (const issuer of [ada._id, ada._id, NOBODYS, '0'.repeat(23), '{"$ne":null}', '%', '.*']) {
      const { status, body } = await keySetOf(issuer);
      expectResponse({ status, body }, 200, { keys: [] });
    }
  });

  it('200: a rotation makes next the current key, which alone signs from then on, and publishes the former one on', async () => {
    const license = await createLicense(app, ada);
    await activate(app, license, LAPTOP);
    const kidsOf = async () => {
      const keys = await signingKeysOf(app, ada);
      const issued = [
        await requestCertificate(app, '/validate', license),
        await requestCertificate(app, '/validate/activate', license),
        await issueCertificate(app, ada, license),
      ];
      return issued.map(({ body }) => verifyCertificate(body.certificate as string, keys).kid);
    };
    const before = await signingKeysOf(app, ada);
    expect(await kidsOf()).toEqual(Array(3).fill(before.current.kid));
    const response = await rotate();
    const { message, builds, ...keys } = response.body;

    expect([response.status, message]).toEqual([200, 'Signing keys rotated successfully']);
    expect(builds).toBe(
      `Builds that contain the key ${before.next.kid} accept new certificates. ` +
        'Builds without it accept none: update them with current and next. Builds that contain the former key accept ' +
        'what it has signed.',
    );
    expect(keys).toEqual({ ...before, current: before.next, next: JWK });
    expect([before.current.kid, before.next.kid]).not.toContain(keys.next.kid);
    expect(await signingKeysOf(app, ada)).toEqual(keys);
    expect(await published()).toEqual([keys.current.kid, keys.next.kid, before.current.kid]);
    expect(await kidsOf()).toEqual(Array(3).fill(before.next.kid));
  });

  it('a compromised key is no longer published, retired ones are, the newest first, for 366 days and a minute', async () => {
    const kids = [(await signingKeysOf(app, ada)).current.kid];
    for (let i = 0; i < 2; i++) kids.unshift((await rotate()).body.current.kid as string);
    const { body } = await rotate({ compromised: true });

    expect(await published()).toEqual([body.current.kid, body.next.kid, kids[1], kids[2]]);
    await at(END - 1);
    expect(await published()).toHaveLength(4);
    await at(END);
    expect(await published()).toEqual([body.current.kid, body.next.kid]);
  });

  it('403: a 25th retired key is rejected until the first is over, unless it is compromised', async () => {
    for (let i = 0; i < 24; i++) {
      expect((await rotate()).status).toBe(200);
      app.clock.advance({ seconds: 1 });
    }
    expectError(await rotate(), [403, 'RETIRED_KEY_QUOTA_REACHED'], {
      message: 'Retired key quota reached',
    });
    expect(await published()).toHaveLength(26);
    expect((await rotate({ compromised: true })).status).toBe(200);
    await at(END);
    expect((await rotate()).status).toBe(200);
  });

  it('409: a kid that is not the current one of the account rotates nothing', async () => {
    const retired = (await signingKeysOf(app, ada)).current;
    await rotate();
    const { current, next } = await signingKeysOf(app, ada);
    const foreign = await signingKeysOf(app, await registerDeveloper(app));
    const before = await published();
    const otherCase = current.kid.replace(/[a-z]/, (letter) => letter.toUpperCase());
    for (const kid of [next.kid, retired.kid, foreign.current.kid, otherCase, 'k'.repeat(43)]) {
      expectError(await post({ current: kid }), [409, 'SIGNING_KEY_NOT_CURRENT'], {
        message: 'Signing key is not the current one',
      });
    }
    expect(await published()).toEqual(before);
  });

  it.each([
    ['current', undefined],
    ['current', 'k'.repeat(42)],
    ['current', `${'k'.repeat(43)}\n`],
    ['compromised', 'true'],
    ['compromised', false],
  ])('400: names `%s` where it is %j', async (field, value) => {
    const keys = await signingKeysOf(app, ada);

    expectInvalid(await post({ current: keys.current.kid, [field]: value }), field);
    expect(await signingKeysOf(app, ada)).toEqual(keys);
  });
});
