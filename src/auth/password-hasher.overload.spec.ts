import { DomainError } from '../shared/errors/domain-error.js';
import { AT_ONCE, PasswordHasher } from './password-hasher.js';

const mockRunning: (() => void)[] = [];

jest.mock('@node-rs/argon2', () => ({
  hash: () => new Promise<string>((resolve) => mockRunning.push(() => resolve('hash'))),
  verify: () => new Promise<boolean>((resolve) => mockRunning.push(() => resolve(true))),
}));

/** Those that run, and 32 that wait. */
const ALL = AT_ONCE + 32;

const settled = () => new Promise((resolve) => setImmediate(resolve));

async function finishOne(): Promise<void> {
  mockRunning.shift()?.();
  await settled();
}

describe('PasswordHasher under load', () => {
  let hasher: PasswordHasher;
  let work: Promise<unknown>[];

  beforeEach(async () => {
    mockRunning.length = 0;
    hasher = new PasswordHasher();
    work = Array.from({ length: ALL }, (_, index) =>
      index % 2 === 0 ? hasher.hash('password') : hasher.verify('hash', 'password'),
    );
    await settled();
  });

  it('runs as many at once as leave a core to the event loop, two at most, of hashes and verifications together', async () => {
    expect(mockRunning).toHaveLength(AT_ONCE);
    await finishOne();
    expect(mockRunning).toHaveLength(AT_ONCE);
  });

  it('lets 32 wait, refuses the next with a time to retry after, and does all that waited', async () => {
    const refused = await hasher.verify('hash', 'password').catch((error: unknown) => error);

    expect(refused).toBeInstanceOf(DomainError);
    expect(refused).toMatchObject({ code: 'OVERLOADED', retryAfter: 1 });
    for (let done = 0; done < ALL; done += 1) await finishOne();
    await expect(Promise.all(work)).resolves.toHaveLength(ALL);
  });

  it('takes one more as soon as one is done', async () => {
    await finishOne();

    const next = hasher.hash('password');
    const refused = hasher.hash('password');
    await expect(refused).rejects.toMatchObject({ code: 'OVERLOADED' });
    for (let done = 0; done < ALL; done += 1) await finishOne();
    await expect(next).resolves.toBe('hash');
  });
});
