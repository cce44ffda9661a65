import { loggedPath } from './logged-path.js';

const KEY = 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD';
const REFRESH_TOKEN = 'Zr8w0Yt3bq1V5xk9Uc7PjM2sHdA4nGfLeQ6oIiTzEvB';

const percentEncoded = (text: string) =>
  [...text].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join('');

describe('S12, S22: the logged path of a request without a route', () => {
  it.each(['/', '/nowhere', '/wp-login', '/.env', '/api/v1/license', '/a_b~c/', '//x', ''])(
    'is the path itself where it consists of short words: %j',
    (path) => {
      expect(loggedPath(path)).toBe(path);
    },
  );

  it.each([
    ['a license key', KEY],
    ['the percent-encoded groups of one', percentEncoded(KEY.slice(-14))],
    ['a refresh token', REFRESH_TOKEN],
    ['the shortest password', 'hunter2hunte'],
    ['one with other characters', 'p:w'],
    ['bytes beyond ASCII', 'Ã¤Ã¶'],
  ])('shows nothing of %s', (_case, secret) => {
    expect(loggedPath(`/keys/${secret}/check`)).toBe('/keys/*/check');
    expect(loggedPath(`/${secret}`)).toBe('/*');
  });

  it('has at most 100 characters, and omits a segment that would be cut', () => {
    for (let before = 0; before <= 110; before += 1) {
      const logged = loggedPath(`/${'x/'.repeat(before / 2)}${KEY}/${REFRESH_TOKEN}`);
      expect(logged.length).toBeLessThanOrEqual(101);
      expect(logged).toMatch(/^\/(x\/)*(\*\/\*|\*\/…|…|)$/);
    }
  });

  it('depends on the first 100 characters alone, so that a longer path costs no more', () => {
    const hostile = ['a', '-', '%2', '/', 'LIC-', `${'f'.repeat(24)}-`, 'eyJ.', '\u00e4'];
    for (const part of hostile) {
      const path = `/${part.repeat(16_384 / part.length)}`;
      expect(loggedPath(path)).toBe(loggedPath(path.slice(0, 101)));
    }
    expect(loggedPath(`/${percentEncoded(KEY)}`)).toBe('/…');
  });
});
