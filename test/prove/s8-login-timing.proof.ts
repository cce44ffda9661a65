import { USERS } from '../../src/auth/accounts/user.js';
import { PasswordHasher } from '../../src/auth/passwords/password-hasher.js';
import { insert } from '../../src/storage/changes.js';
import { WritableStore } from '../../src/storage/writable-store.js';
import { aUser } from '../builders.js';
import { TestApp } from '../app.js';
import { prove, SEED } from './prove.js';
import { EVERY_ENGINE } from '../engines.js';
import { Random } from '../random.js';

const ACCOUNTS = 500;
/** Maximum difference of the AUC from 0.5. */
const LARGEST = 0.05;
const WARM_UP = 20;
const WRONG_PASSWORD = 'seven quiet lanterns drown';

const emailOf = (kind: string, i: number) => `${kind}.${1000 + i}@studio.example`;

prove('S8', EVERY_ENGINE, async (engine) => {
  // argon2's time is what would reveal the account.
  const app = await TestApp.start(engine, {}, { argon2: true });
  try {
    await createAccounts(app);
    const statuses = new Set<number>();
    const reject = async (email: string): Promise<number> => {
      const start = performance.now();
      const { status } = await app.post('/auth/login', { email, password: WRONG_PASSWORD });
      statuses.add(status);
      return performance.now() - start;
    };
    for (let i = 0; i < WARM_UP; i += 1) await reject(emailOf('warm-up', i));
    const took = { known: [] as number[], nobody: [] as number[] };
    const random = new Random(SEED);
    for (let i = 0; i < ACCOUNTS; i += 1) {
      // In random order, so that changes in the machine's speed affect both kinds alike.
      const first = random.of(['known', 'nobody'] as const);
      for (const kind of [first, first === 'known' ? 'nobody' : 'known'] as const) {
        took[kind].push(await reject(emailOf(kind, i)));
      }
    }

    const area = areaUnderCurve(took.known, took.nobody);
    const failures = [...statuses].filter((status) => status !== 401).map((s) => `status ${s}`);
    if (Math.abs(area - 0.5) > LARGEST) failures.push(`an AUC of ${area}`);
    return { figures: { 'accounts of a kind': ACCOUNTS, AUC: area.toFixed(3) }, failures };
  } finally {
    await app.stop();
  }
});

async function createAccounts({ nest }: TestApp): Promise<void> {
  const passwordHash = await nest.get(PasswordHasher).hash('seven quiet lanterns drift');
  for (let i = 0; i < ACCOUNTS; i += 1) {
    const account = aUser({ email: emailOf('known', i), passwordHash });
    await nest.get(WritableStore).commit([insert(USERS, account)]);
  }
}

/** The probability that a time of one kind is longer than one of the other; 0.5 reveals nothing. */
function areaUnderCurve(one: readonly number[], other: readonly number[]): number {
  const wins = one.flatMap((a) => other.map((b) => (a === b ? 0.5 : Number(a > b))));
  return wins.reduce((sum, win) => sum + win, 0) / wins.length;
}
