import { createPrivateKey } from 'node:crypto';
import { SecretWatch } from './secret-watch.js';

const PASSWORD = 'planted "lanterns" 4711';
const KEY = 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD';
const SENT_KEY = 'X1-665f1c2ab7e4a90012345678-AAAA-BBBB-CCCC';
const SENT_TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI2NjVmIn0.c2lnbmF0dXJl';
const MAILED = 'kZ0vKX3Yb0m4o6T2Qw8nHc5sJr1uLd9eAfGgBhViPxE';
const SEED = Buffer.from('planted-seed-of-a-signing-key-32');

describe('S12: SecretWatch, part of every e2e test,', () => {
  let watch: SecretWatch;
  beforeEach(() => {
    watch = new SecretWatch();
    const headers = { Authorization: 'Bearer planted-access-token', Cookie: `a=${SENT_KEY}` };
    watch.sent(JSON.stringify({ email: 'a@b.example', password: PASSWORD }), headers);
    watch.sent('{"currentPassword" : "planted anchors"', {}, `/validate/${SENT_TOKEN}`);
    watch.responded(200, `{"key":"${KEY}"}`, ['session=planted-cookie; Path=/console; HttpOnly']);
    watch.addPrivateKey(SEED, 'planted-sealed-form');
    watch.mailed(`Open https://a.local/console/reset-password#${MAILED} now`, false);
  });

  it.each([
    ['a password', JSON.stringify({ body: { password: PASSWORD } })],
    ['a password of malformed JSON', 'tried planted anchors'],
    ['an access token', '{"authorization":"Bearer planted-access-token"}'],
    ['a cookie that was set', 'cookie planted-cookie'],
    ['a stored hash', '{"user":{"passwordHash":"$argon2id$v=19$m=19456"}}'],
    ['a key that is percent-encoded', `{"route":"/${KEY.replaceAll('-', '%2d')}"}`],
    ['a key that was sent in a header', SENT_KEY],
    ['a token that was sent in a path', SENT_TOKEN],
    ['the token of a mailed link', MAILED],
    ['a private key as hex', SEED.toString('hex')],
    ['a private key of a PEM file', pem(SEED)],
    ['a sealed private key', 'planted-sealed-form'],
  ])('finds %s in a log', (_secret, line) => {
    expect(() => watch.expectNoneIn([`first\n${line}\nlast\n`])).toThrow(/^The secret .* leaked/);
  });

  it('finds a secret in an error body, and a private key or a mailed token in any response', () => {
    for (const secret of [SEED.toString('base64url'), MAILED]) {
      expect(() => watch.responded(200, `{"d":"${secret}"}`)).toThrow(/^The secret .* leaked/);
    }
    watch.responded(404, `{"message":"No license ${KEY}","requestId":"1"}`);
    expect(() => watch.expectNoneIn([])).toThrow(KEY.toLowerCase());
  });
});

/** The private key as PEM, on one line as in JSON. */
function pem(seed: Buffer): string {
  const head = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = Buffer.concat([head, seed]);
  const privateKey = createPrivateKey({ key, format: 'der', type: 'pkcs8' });
  return JSON.stringify(privateKey.export({ format: 'pem', type: 'pkcs8' }));
}
