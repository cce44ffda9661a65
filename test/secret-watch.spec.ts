import { createPrivateKey } from 'node:crypto';
import { SecretWatch } from './secret-watch.js';

const PASSWORD = 'planted "lanterns" 4711';
const KEY = 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD';
const SENT_KEY = 'X1-665f1c2ab7e4a90012345678-AAAA-BBBB-CCCC';
const SENT_TOKEN = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiI2NjVmIn0.c2lnbmF0dXJl';
const SEED = Buffer.from('planted-seed-of-a-signing-key-32');
const SEALED = 'planted-sealed-form-of-a-signing-key';
const REQUEST =
  '{"level":30,"time":"2026-01-31T10:15:00.000Z","reqId":"0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55",' +
  '"method":"GET","route":"/auth/me","status":200,"ms":1.2,"ip":"::1","msg":"request"}\n';

describe('S12: the watch over secrets, without which no e2e test passes,', () => {
  let watch: SecretWatch;

  beforeEach(() => {
    watch = new SecretWatch();
    watch.sent(JSON.stringify({ email: 'ada@studio.example', password: PASSWORD }), {
      Authorization: 'Bearer planted-access-token',
      'Idempotency-Key': 'planted-idempotency-key',
    });
    watch.sent('{"fingerprint":"planted-fingerprint", "currentPassword" : "planted anchors"', {});
    watch.sent(undefined, { Cookie: `a=${SENT_KEY}` }, `/validate/${SENT_TOKEN}`);
    watch.sent(undefined, { Cookie: 'a=1; session=planted-sent-cookie' });
    watch.responded(200, '{}', ['session=planted-cookie; Path=/console; HttpOnly']);
    watch.addPrivateKey(SEED, SEALED);
    watch.responded(201, `{"license":{"key":"${KEY}"},"refreshToken":"planted-refresh-token"}`);
  });

  it.each([
    ['a password', JSON.stringify({ body: { password: PASSWORD } })],
    ['a password of malformed JSON', 'tried planted anchors'],
    ['a key', `no license ${KEY}`],
    ['a fingerprint', 'machine planted-fingerprint'],
    ['an access token', '{"headers":{"authorization":"Bearer planted-access-token"}}'],
    ['a refresh token', 'planted-refresh-token'],
    ['an idempotency key', 'planted-idempotency-key'],
    ['a cookie that was sent', 'cookie planted-sent-cookie'],
    ['a cookie that was set', 'cookie planted-cookie'],
    ['a stored hash', '{"user":{"passwordHash":"$argon2id$v=19$m=19456"}}'],
    ['a key that is percent-encoded', REQUEST.replace('/auth/me', KEY.replaceAll('-', '%2d'))],
    ['a key that was sent in a header', `cookie ${SENT_KEY}`],
    ['a token that was sent in a path', `path ${SENT_TOKEN}`],
    ['a private key as hex', `key ${SEED.toString('hex')}`],
    ['a private key of a JWK', JSON.stringify({ d: SEED.toString('base64url') })],
    ['a private key of a PEM file', pem(SEED)],
    ['a sealed private key', `key ${SEALED}`],
  ])('finds %s in a log', (_secret, line) => {
    expect(() => watch.expectNoneIn([REQUEST, `${line}\n`, REQUEST])).toThrow(
      /^The secret .* is told/,
    );
  });

  it('finds one in an error body, and a private key in any response', () => {
    for (const text of [SEED.toString('base64url'), pem(SEED), SEALED]) {
      expect(() => watch.responded(200, JSON.stringify({ text }))).toThrow(
        /^The secret .* is told/,
      );
    }
    watch.responded(404, `{"message":"No license ${KEY}","requestId":"1"}`);
    expect(() => watch.expectNoneIn([])).toThrow(KEY.toLowerCase());
  });
});

/** The private key as PEM, on one line as JSON has it. */
function pem(seed: Buffer): string {
  const head = Buffer.from('302e020100300506032b657004220420', 'hex');
  const key = Buffer.concat([head, seed]);
  const options = { format: 'pem', type: 'pkcs8' } as const;
  return JSON.stringify(createPrivateKey({ ...options, key, format: 'der' }).export(options));
}
