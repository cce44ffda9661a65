import { ENGINES } from '../../engines.js';
import { START } from '../../fake-clock.js';
import { atOnce, statusesOf } from '../at-once.js';
import { activate, createLicense, type Developer, logIn, registerDeveloper } from '../developer.js';
import { useApp } from '../use-app.js';
import { LAPTOP } from './issue-certificate.js';
import { signingKeysOf, verifyCertificate } from './verify-certificate.js';

/** A kid that no key has. */
const UNKNOWN_KID = 'k'.repeat(43);

describe.each(ENGINES)('POST /signing-keys/rotate on %s', (engine) => {
  const app = useApp(engine);
  let ada: Developer;

  beforeEach(async () => {
    app.clock.set(START);
    ada = await registerDeveloper(app);
  });

  const post = (body: object, headers: Record<string, string> = {}) =>
    app.post('/signing-keys/rotate', body, { token: ada.token, headers });
  /** Rotates the keys as they are now. */
  const rotate = async (fields: object = {}) => {
    const { current } = await signingKeysOf(app, ada);
    return post({ current: current.kid, ...fields });
  };
  const published = async () =>
    ((await app.get(`/keys/${ada._id}`)).body.keys as { kid: string }[]).map(({ kid }) => kid);
  const at = async (time: number) => {
    app.clock.set(new Date(time).toISOString());
    ada = await logIn(app, ada);
  };
  /** Rotates until no more retired key may be published. */
  const fill = async () => {
    for (let i = 0; i < 24; i++) {
      expect((await rotate()).status).toBe(200);
      app.clock.advance({ seconds: 1 });
    }
  };

  it('200: next becomes current, a new next is created, and the former key is published on', async () => {
    const before = await signingKeysOf(app, ada);
    const response = await rotate();
    const { message, builds, ...keys } = response.body;

    expect(response.status).toBe(200);
    expect(message).toBe('Signing keys rotated successfully');
    expect(builds).toBe(
      `Builds that contain the key ${before.next.kid} accept new certificates. ` +
        'Builds without it accept none: update them with current and next. Builds that contain the former key accept ' +
        'what it has signed.',
    );
    expect(keys).toEqual({ ...before, current: before.next, next: keys.next });
    expect([before.current.kid, before.next.kid]).not.toContain(keys.next.kid);
    expect(await signingKeysOf(app, ada)).toEqual(keys);
    expect(await published()).toEqual([...[keys.current.kid, keys.next.kid], before.current.kid]);
  });

  it('200: publishes retired keys after the others, the newest first', async () => {
    const kids = [(await signingKeysOf(app, ada)).current.kid];
    for (let i = 0; i < 3; i++) kids.unshift((await rotate()).body.current.kid as string);
    const { next } = await signingKeysOf(app, ada);

    expect(await published()).toEqual([kids[0], next.kid, ...kids.slice(1)]);
  });

  it('the former key signs nothing after the response', async () => {
    const license = await createLicense(app, ada);
    const { key, project } = license;
    await activate(app, license, LAPTOP);
    const check = { key, fingerprint: LAPTOP, product: project };
    const kidsOf = async () => {
      const keys = await signingKeysOf(app, ada);
      const issued = [
        await app.post('/validate', { ...check, certificate: true }),
        await app.post('/validate/activate', { ...check, certificate: true }),
        await app.post(
          `/licenses/${license._id}/certificates`,
          { fingerprint: LAPTOP, product: project, days: 1 },
          ada,
        ),
      ];
      return issued.map(({ body }) => verifyCertificate(body.certificate as string, keys).kid);
    };
    const { current, next } = await signingKeysOf(app, ada);

    expect(await kidsOf()).toEqual(Array(3).fill(current.kid));
    const { body } = await rotate();
    expect(await kidsOf()).toEqual(Array(3).fill(next.kid));
    await rotate({ compromised: true });
    expect(await kidsOf()).toEqual(Array(3).fill(body.next.kid));
  });

  it('a compromised key is no longer published, those that were retired before are', async () => {
    const first = await signingKeysOf(app, ada);
    await rotate();
    const { body } = await rotate({ compromised: true });

    expect(await published()).toEqual([body.current.kid, body.next.kid, first.current.kid]);
  });

  it('a retired key is published for 366 days and a minute, to the millisecond', async () => {
    const { current } = await signingKeysOf(app, ada);
    await rotate();
    const end = Date.parse(START) + (366 * 24 * 60 + 1) * 60_000;
    app.clock.set(new Date(end - 1).toISOString());
    expect(await published()).toContain(current.kid);
    app.clock.set(new Date(end).toISOString());

    expect(await published()).not.toContain(current.kid);
    expect(await published()).toHaveLength(2);
  });

  it('403: a 25th retired key is rejected until the first is over, unless it is compromised', async () => {
    const { current: first } = await signingKeysOf(app, ada);
    await fill();
    const before = await published();
    expect(before).toHaveLength(26);
    const rejected = await rotate();

    expect(rejected.status).toBe(403);
    expect(rejected.body).toMatchObject({
      message: 'Retired key quota reached',
      code: 'RETIRED_KEY_QUOTA_REACHED',
    });
    expect(await published()).toEqual(before);
    expect((await rotate({ compromised: true })).status).toBe(200);
    expect(await published()).toHaveLength(26);
    const end = Date.parse(START) + (366 * 24 * 60 + 1) * 60_000;
    await at(end - 1);
    expect((await rotate()).status).toBe(403);
    await at(end);
    expect(await published()).not.toContain(first.kid);
    expect((await rotate()).status).toBe(200);
    expect(await published()).toHaveLength(26);
  });

  it.each([
    ['of no key', () => UNKNOWN_KID],
    ['of the next key', ({ next }: Kids) => next.kid],
    ['of a retired key', ({ retired }: Kids) => retired.kid],
    [
      'of another case',
      ({ current }: Kids) => current.kid.replace(/[a-z]/, (a) => a.toUpperCase()),
    ],
  ])('409: the kid %s rotates nothing', async (_case, kidOf) => {
    const { current: retired } = await signingKeysOf(app, ada);
    await rotate();
    const keys = await signingKeysOf(app, ada);
    const before = await published();
    const response = await post({ current: kidOf({ ...keys, retired }) });

    expect(response.status).toBe(409);
    expect(response.body).toMatchObject({
      message: 'Signing key is not the current one',
      code: 'SIGNING_KEY_NOT_CURRENT',
    });
    expect(await published()).toEqual(before);
  });

  it("409: another account's kid rotates neither account's keys", async () => {
    const bob = await registerDeveloper(app);
    const { current } = await signingKeysOf(app, bob);
    const before = [await signingKeysOf(app, ada), await signingKeysOf(app, bob)];

    expect((await post({ current: current.kid })).status).toBe(409);
    expect([await signingKeysOf(app, ada), await signingKeysOf(app, bob)]).toEqual(before);
  });

  it.each([{}, { compromised: true }])(
    '200 once for 20 requests at once, and 409 for the others: %j',
    async (fields) => {
      const { current, next } = await signingKeysOf(app, ada);
      const responses = await atOnce(20, () => post({ current: current.kid, ...fields }));
      const done = responses.filter(({ status }) => status === 200);

      expect(statusesOf(responses).sort()).toEqual([200, ...Array<number>(19).fill(409)]);
      const keys = await signingKeysOf(app, ada);
      expect(keys.current).toEqual(next);
      expect(done[0]!.body).toMatchObject(keys);
      expect(await published()).toHaveLength('compromised' in fields ? 2 : 3);
    },
  );

  it('rotates once for 20 requests with one idempotency key at once, and each gets the same response', async () => {
    const { current } = await signingKeysOf(app, ada);
    const headers = { 'Idempotency-Key': 'first-rotation' };
    const responses = await atOnce(20, () => post({ current: current.kid }, headers));
    await rotate();
    const late = await post({ current: current.kid }, headers);
    const other = await post({ current: current.kid, compromised: true }, headers);

    expect(responses[0]!.status).toBe(200);
    for (const { status, body } of [...responses, late]) {
      expect([status, JSON.stringify(body)]).toEqual([200, JSON.stringify(responses[0]!.body)]);
    }
    expect(other.status).toBe(422);
    expect(await published()).toHaveLength(4);
  });

  it.each([
    ...[undefined, null, '', 'k'.repeat(42), 'k'.repeat(44), `${'k'.repeat(42)}=`].map(
      (value) => ['current', value] as const,
    ),
    ...[`${'k'.repeat(43)}\n`, 5, true, ['k'.repeat(43)], { $ne: null }].map(
      (value) => ['current', value] as const,
    ),
    ...[false, null, 'true', 1, [true], { $ne: false }].map(
      (value) => ['compromised', value] as const,
    ),
  ])('400: names `%s` where it is %j', async (field, value) => {
    const keys = await signingKeysOf(app, ada);
    const response = await post({ current: keys.current.kid, [field]: value });

    expect(response.status).toBe(400);
    expect(response.body.message).toBe('Validation error');
    expect(Object.keys(response.body.errors as object)).toEqual([field]);
    expect(await signingKeysOf(app, ada)).toEqual(keys);
  });
});

interface Kids {
  readonly current: { readonly kid: string };
  readonly next: { readonly kid: string };
  readonly retired: { readonly kid: string };
}
