import { parseOptions } from '@node-rs/argon2';
import { randomUUID } from 'node:crypto';
import { UsersRepository } from '../../../src/auth/accounts/users.repository.js';
import { ENGINES } from '../../engines.js';
import { useApp } from '../use-app.js';

/** The most frequent of the usual lists that are long enough, and what people make of the shorter ones. */
const COMMON = [
  ...[
    '123456789012',
    '111111111111',
    'qwertyuiop123',
    '1q2w3e4r5t6y',
    'passwordpassword',
    'password1234',
  ],
  ...[
    'Password12345',
    'iloveyou1234',
    'letmeinletmein',
    'abc123abc123',
    'administrator',
    'unbelievable',
  ],
  ...[
    'abcdefghijkl',
    'zxcvbnm12345',
    'football1234',
    'princess2024',
    '!!dragon!!2024',
    'monkeymonkey',
  ],
];

describe.each(ENGINES)('S7: passwords on %s', (engine) => {
  const app = useApp(engine, {}, { argon2: true });

  const newEmail = () => `${randomUUID()}@studio.example`;
  const register = (password: string, email = newEmail()) =>
    app.post('/auth/register', { name: 'Ada', email, password });

  it.each([
    ['11 characters', 'zkqvbnxwjrt'],
    ['129 characters', `${'zkqvbnxw jrtpqmd'.repeat(8)}x`],
    ['11 characters outside the basic plane', '🔑🚪🌧🦉🪁🧭🌊🪴🎻🧵🫖'],
  ])('rejects one of %s', async (_case, password) => {
    const { status, body } = await register(password);

    expect(status).toBe(400);
    expect(body.errors.password).toEqual(['password must have 12 to 128 characters']);
  });

  it(`rejects each of ${COMMON.length} common ones`, async () => {
    const responses = await Promise.all(COMMON.map((password) => register(password)));
    const taken = COMMON.filter((_password, i) => responses[i]!.status !== 400);

    expect(taken).toEqual([]);
  });

  it.each([
    ['one of 12 characters, by the last', 'zkqvbnxwjrtp', 'zkqvbnxwjrtP'],
    [
      'one of 128, by the last',
      'zkqvbnxw jrtpqmd'.repeat(8),
      `${'zkqvbnxw jrtpqmd'.repeat(8).slice(0, -1)}D`,
    ],
    [
      'one of 73 bytes, by the last, of which bcrypt takes 72',
      `${'seven quiet lanterns'.padEnd(72, ' drift')}x`,
      `${'seven quiet lanterns'.padEnd(72, ' drift')}y`,
    ],
    [
      'one of 128 characters and 512 bytes, by the last',
      '🔑🚪🌧🦉🪁🧭🌊🪴'.repeat(16),
      `${'🔑🚪🌧🦉🪁🧭🌊🪴'.repeat(16).slice(0, -2)}🎻`,
    ],
    ['one with a NUL, by what follows it', 'seven\u0000quiet lanterns', 'seven\u0000quiet lantern'],
    ['one with spaces at its ends, by them', '  seven quiet lanterns ', 'seven quiet lanterns'],
  ])('truncates nothing: tells %s', async (_case, password, other) => {
    const email = newEmail();
    const registered = await register(password, email);
    const [wrong, right] = await Promise.all(
      [other, password].map((tried) => app.post('/auth/login', { email, password: tried })),
    );

    expect([registered, wrong, right].map((response) => response!.status)).toEqual([201, 401, 200]);
  });

  it('stores argon2id of 19 MiB and two passes, with a salt of its own', async () => {
    const emails = [newEmail(), newEmail()];
    for (const email of emails) await register('seven quiet lanterns drift', email);
    const users = app.nest.get(UsersRepository);
    const [one, other] = await Promise.all(
      emails.map(async (email) => String((await users.findByEmail(email))?.passwordHash)),
    );

    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[\w+/]{22}\$[\w+/]{43}$/);
    expect(parseOptions(String(one))).toMatchObject({
      memoryCost: 19_456,
      timeCost: 2,
      parallelism: 1,
    });
    expect(other).not.toBe(one);
  });
});
