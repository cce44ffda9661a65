import { randomUUID } from 'node:crypto';
import { AccountsService } from '../../../src/auth/accounts/accounts.service.js';
import { useApp } from '../use-app.js';

const LONG = 'zkqvbnxw jrtpqmd'.repeat(8);
const BYTES = 'seven quiet lanterns'.padEnd(72, ' drift');
const WIDE = '🔑🚪🌧🦉🪁🧭🌊🪴'.repeat(16);

// Lengths and common passwords have their cases in src/auth/passwords/password-policy.spec.ts.
describe('S7: passwords', () => {
  const app = useApp({}, { argon2: true });

  const register = (password: string, email = `${randomUUID()}@studio.example`) =>
    app.post('/auth/register', { name: 'Ada', email, password });

  it.each([
    ['one of 128 characters, by the last', LONG, `${LONG.slice(0, -1)}D`],
    ['one of 73 bytes, by the last, of which bcrypt takes 72', `${BYTES}x`, `${BYTES}y`],
    ['one of 128 characters and 512 bytes, by the last', WIDE, `${WIDE.slice(0, -2)}🎻`],
    ['one with a NUL, by what follows it', 'seven\u0000quiet lanterns', 'seven\u0000quiet lantern'],
    ['one with spaces at its ends, by them', '  seven quiet lanterns ', 'seven quiet lanterns'],
  ])('truncates nothing: tells %s', async (_case, password, other) => {
    const email = `${randomUUID()}@studio.example`;
    const registered = await register(password, email);
    const [wrong, right] = await Promise.all(
      [other, password].map((tried) => app.post('/auth/login', { email, password: tried })),
    );

    expect([registered, wrong, right].map((response) => response!.status)).toEqual([201, 401, 200]);
  });

  it('are stored as argon2id of 19 MiB and two passes, with a salt of its own', async () => {
    const hashes = new Set<string>();
    for (let i = 0; i < 2; i++) {
      const { user } = (await register('seven quiet lanterns drift')).body;
      const account = await app.nest.get(AccountsService).findByEmail(user.email as string);
      hashes.add(String(account?.passwordHash));
    }

    expect(hashes.size).toBe(2);
    for (const hash of hashes) {
      expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    }
  });
});
