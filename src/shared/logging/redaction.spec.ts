import { newRefreshToken } from '../../auth/sessions/refresh-token.js';
import { maskSecrets } from './redaction.js';

const KEY = 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD';
const TOKEN = 'Zr8w0Yt3bq1V5xk9Uc7PjM2sHdA4nGfLeQ6oIiTzEvB';
const JWT =
  'eyJhbGciOiJIUzI1NiIsInR5cCI6IkpXVCJ9.eyJzdWIiOiI2NjVmIn0.c2lnbmF0dXJlLW9mLXRoZS10b2tlbg';

describe('S12: maskSecrets', () => {
  it.each([
    ['a license key', `no license ${KEY}, sorry`, 'no license LIC-[Redacted], sorry'],
    ['one in lower case', `no ${KEY.toLowerCase()}`, 'no lic-[Redacted]'],
    ['one in a URL', `GET /x?k=${KEY.replaceAll('-', '%2d')}`, 'GET /x?k=LIC%2d[Redacted]'],
    ['an access token', `Bearer ${JWT}`, 'Bearer [Redacted]'],
    ['a truncated one', `Bearer ${JWT.slice(0, 50)}`, 'Bearer [Redacted]'],
    ['one at the beginning of a line', `a\n${JWT}\nb`, 'a\n[Redacted]\nb'],
    ['a refresh token', `"${newRefreshToken()}"`, '"[Redacted]"'],
    ['one of an earlier version', `"${TOKEN}"`, '"[Redacted]"'],
    ['an e-mail address', 'no account of ada+x@studio.example.', 'no account of [Redacted]'],
    ['one with non-ASCII letters', 'no ädä@stüdio.example here', 'no [Redacted] here'],
    [
      'the password of a database',
      'mongodb://admin:hunter2@db1,db2/licenses',
      'mongodb://admin:[Redacted]/licenses',
    ],
    [
      'the value in a duplicate key error of MongoDB',
      'E11000 duplicate key error collection: test.clients index: email_1 dup key: { email: "Ada Lovelace" }',
      'E11000 duplicate key error collection: test.clients index: email_1 dup key: {[Redacted]}',
    ],
  ])('hides %s', (_case, text, masked) => {
    expect(maskSecrets(text)).toBe(masked);
  });

  it.each([
    'connect ECONNREFUSED 10.0.0.5:27017',
    'at Module._compile (node:internal/modules/cjs/loader:1521:14)',
    'at f (file:///srv/app/node_modules/@nestjs/core/router/router-execution-context.js:46:28)',
    'request 0b0e2d34-9d6c-4b71-a0f5-6f0d9e5b1c55 of license 665f1c2ab7e4a90012345678',
    'UNIQUE constraint failed: users.email',
  ])('leaves %s as it is', (text) => {
    expect(maskSecrets(text)).toBe(text);
  });
});
