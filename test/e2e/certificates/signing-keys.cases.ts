import { ENGINES } from '../../engines.js';
import { atOnce, statusesOf } from '../at-once.js';
import { type Developer, NOBODYS, registerDeveloper } from '../developer.js';
import { STRUCTURES, TEXTS } from '../security/operator-payloads.js';
import { useApp } from '../use-app.js';
import { signingKeysOf, thumbprint } from './verify-certificate.js';

const JWK = {
  ...{ kty: 'OKP', crv: 'Ed25519', alg: 'EdDSA', use: 'sig' },
  x: expect.stringMatching(/^[\w-]{43}$/),
  kid: expect.stringMatching(/^[\w-]{43}$/),
};

describe.each(ENGINES)('The signing keys of an account, on %s', (engine) => {
  const app = useApp(engine);
  let ada: Developer;

  beforeEach(async () => {
    ada = await registerDeveloper(app);
  });

  const keySetOf = (issuer: string) => app.get(`/keys/${encodeURIComponent(issuer)}`);

  it('GET /signing-keys creates two, and returns the same from then on', async () => {
    const first = await app.get('/signing-keys', ada);
    app.clock.advance({ seconds: 60 });
    const second = await app.get('/signing-keys', ada);

    expect(first.status).toBe(200);
    expect(first.body).toEqual({ issuer: ada._id, current: JWK, next: JWK });
    for (const { kid, x } of [first.body.current, first.body.next]) {
      expect(kid).toBe(thumbprint(x as string));
      expect(Buffer.from(x as string, 'base64url')).toHaveLength(32);
    }
    expect(first.body.current.x).not.toBe(first.body.next.x);
    expect(second.body).toEqual(first.body);
  });

  it('GET /signing-keys creates them once for 20 first requests at once', async () => {
    const responses = await atOnce(20, () => app.get('/signing-keys', ada));

    expect(statusesOf(responses)).toEqual(Array(20).fill(200));
    expect(responses.map(({ body }) => body)).toEqual(Array(20).fill(responses[0]!.body));
    expect(await signingKeysOf(app, ada)).toEqual(responses[0]!.body);
  });

  it('GET /signing-keys gives each account an issuer and keys of its own', async () => {
    const bob = await registerDeveloper(app);
    const [own, foreign] = [await signingKeysOf(app, ada), await signingKeysOf(app, bob)];
    const kids = [own.current, own.next, foreign.current, foreign.next].map(({ kid }) => kid);

    expect([own.issuer, foreign.issuer]).toEqual([ada._id, bob._id]);
    expect(new Set(kids).size).toBe(4);
  });

  it('GET /keys/:issuer shows both to everyone, the current one first, for a minute', async () => {
    const { issuer, current, next } = await signingKeysOf(app, ada);
    const response = await keySetOf(issuer);

    expect(response.status).toBe(200);
    expect(response.body).toEqual({ keys: [current, next] });
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  });

  it('GET /keys/:issuer is empty before the first use of the keys, and creates none', async () => {
    const responses = [await keySetOf(ada._id), await keySetOf(ada._id)];

    for (const { status, body } of responses) {
      expect([status, body]).toEqual([200, { keys: [] }]);
    }
  });

  it.each([
    ...[NOBODYS, 'nonsense', 'null', '0'.repeat(23), '0'.repeat(25)],
    ...[...TEXTS, ...STRUCTURES.map((payload) => JSON.stringify(payload))],
  ])('GET /keys/:issuer is empty for an unknown issuer: %j', async (issuer) => {
    await signingKeysOf(app, ada);
    const response = await keySetOf(issuer);

    expect([response.status, response.body]).toEqual([200, { keys: [] }]);
    expect(response.headers.get('cache-control')).toBe('public, max-age=60');
  });
});
