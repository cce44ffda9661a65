import { decryptSigningKeys, encryptSigningKeys } from './signing-keys-file.js';

const PASSPHRASE = 'twelve chars';
const SEED = 'c2VlZC1vZi1hLXNpZ25pbmcta2V5LW9mLXRlc3RzLi4';
const KEYS = {
  issuer: '1'.repeat(24),
  rotations: 3,
  current: { x: 'x-1', seed: SEED },
  next: { x: 'x-2', seed: 'seed-2' },
  retired: [{ kid: 'kid-0', x: 'x-0', retiredAt: '2026-01-31T10:15:00.000Z' }],
  createdAt: '2026-01-01T00:00:00.000Z',
};

describe('the file of exported signing keys', () => {
  const text = encryptSigningKeys(KEYS, PASSPHRASE);
  const changed = (fields: object) =>
    JSON.stringify({ ...(JSON.parse(text) as object), ...fields });

  it('gives the keys back for the same passphrase, in whatever Unicode form', () => {
    expect(decryptSigningKeys(text, PASSPHRASE)).toEqual(KEYS);
    const composed = encryptSigningKeys(KEYS, 'straßenkäfig\u00e9');
    expect(decryptSigningKeys(composed, 'straßenkäfige\u0301')).toEqual(KEYS);
  });

  it('shows the issuer and the rotations, and no private key', () => {
    expect(JSON.parse(text)).toMatchObject({ version: 1, issuer: KEYS.issuer, rotations: 3 });
    expect(text).not.toContain(SEED);
    expect(text).not.toContain('x-1');
  });

  it('is another one each time', () => {
    expect(encryptSigningKeys(KEYS, PASSPHRASE)).not.toBe(text);
  });

  it.each([
    ['another passphrase', text, 'twelve Chars'],
    ['another salt', changed({ salt: 'AAAAAAAAAAAAAAAAAAAAAA' }), PASSPHRASE],
    ['cut text', changed({ sealed: 'AAAA' }), PASSPHRASE],
  ])('is rejected with %s', (_what, file, passphrase) => {
    expect(() => decryptSigningKeys(file, passphrase)).toThrow(
      'The passphrase is wrong, or the file is damaged.',
    );
  });

  it.each([
    '',
    'null',
    '[]',
    '{"format":"backup"}',
    changed({ sealed: 7 }),
    changed({ salt: null }),
  ])('is no other text: %s', (other) => {
    expect(() => decryptSigningKeys(other, PASSPHRASE)).toThrow('no exported signing keys');
  });

  it('is not read by another version', () => {
    expect(() => decryptSigningKeys(changed({ version: 2 }), PASSPHRASE)).toThrow(
      'another version',
    );
  });
});
