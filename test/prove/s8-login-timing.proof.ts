import { PasswordHasher } from '../../src/auth/password-hasher.js';
import { UsersRepository } from '../../src/auth/users.repository.js';
import { newObjectId } from '../../src/shared/ids/object-id.js';
import { TestApp } from '../app.js';
import { ENGINES } from '../engines.js';

const ACCOUNTS = 500;
const WRONG_PASSWORD = 'seven quiet lanterns drown';

const emailOf = (kind: string, i: number) => `${kind}.${1000 + i}@studio.example`;

/** The accounts of both kinds in a random order, so that no drift of the machine favors one. */
function shuffled(): { kind: 'known' | 'nobody'; email: string }[] {
  return Array.from({ length: ACCOUNTS }, (_, i) =>
    (['known', 'nobody'] as const).map((kind) => ({ kind, email: emailOf(kind, i) })),
  )
    .flat()
    .map((account) => ({ account, at: Math.random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ account }) => account);
}

/** The probability that a time of the one kind is longer than one of the other; 0.5 tells nothing. */
function areaUnderCurve(one: readonly number[], other: readonly number[]): number {
  const wins = one.map(
    (a) => other.filter((b) => b < a).length + other.filter((b) => b === a).length / 2,
  );
  return wins.reduce((sum, count) => sum + count, 0) / (one.length * other.length);
}

describe.each(ENGINES)(
  `S8: refused logins of ${ACCOUNTS} known and ${ACCOUNTS} unknown accounts, on %s`,
  (engine) => {
    let app: TestApp;

    beforeAll(async () => {
      app = await TestApp.start(engine);
      const users = app.nest.get(UsersRepository);
      const passwordHash = await app.nest.get(PasswordHasher).hash('seven quiet lanterns drift');
      const now = app.clock.now();
      for (let i = 0; i < ACCOUNTS; i += 1) {
        const account = {
          _id: newObjectId(),
          name: 'Ada',
          email: emailOf('known', i),
          passwordHash,
        };
        await users.create({ ...account, createdAt: now, updatedAt: now });
      }
    });
    afterAll(() => app.stop());

    const refuse = async (email: string): Promise<number> => {
      const start = performance.now();
      const { status } = await app.post('/auth/login', { email, password: WRONG_PASSWORD });
      const milliseconds = performance.now() - start;
      expect(status).toBe(401);
      return milliseconds;
    };

    it('take times that cannot be told apart: the AUC is between 0.45 and 0.55', async () => {
      for (let i = 0; i < 20; i += 1) await refuse(emailOf('warm-up', i));
      const times = { known: [] as number[], nobody: [] as number[] };
      for (const { kind, email } of shuffled()) times[kind].push(await refuse(email));
      const area = areaUnderCurve(times.known, times.nobody);

      process.stdout.write(`S8 on ${engine}: AUC ${area.toFixed(3)}\n`);
      expect(area).toBeGreaterThan(0.45);
      expect(area).toBeLessThan(0.55);
    }, 600_000);
  },
);
