import { parseOptions } from '@node-rs/argon2';
import { MAX_CONCURRENT, MAX_QUEUED, NO_PASSWORD, PasswordHasher } from './password-hasher.js';

describe('S7: PasswordHasher', () => {
  const hasher = new PasswordHasher();

  it('hashes with argon2id, 19 MiB, two passes and a random salt', async () => {
    const [one, other] = await Promise.all([hasher.hash('same'), hasher.hash('same')]);

    expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    expect(one).not.toBe(other);
  });

  const LONGEST = `\0${'ü'.repeat(126)}`;
  it.each([
    ['rejects another case', 'seven quiet lanterns', 'Seven quiet lanterns', false],
    ['rejects an added space', 'seven quiet lanterns', 'seven quiet lanterns ', false],
    ['accepts 128 characters with a NUL', `${LONGEST}x`, `${LONGEST}x`, true],
    ['rejects another 128th character', `${LONGEST}x`, `${LONGEST}y`, false],
    ['accepts decomposed letters', 'caf\u00e9 by the river', 'cafe\u0301 by the river', true],
  ])('%s', async (_case, password, given, isVerified) => {
    expect(await hasher.verify(await hasher.hash(password), given)).toBe(isVerified);
  });

  it('matches no password against NO_PASSWORD, which takes as long as a real hash', async () => {
    expect(parseOptions(NO_PASSWORD)).toEqual(parseOptions(await hasher.hash('any')));
    expect(await hasher.verify(NO_PASSWORD, '')).toBe(false);
  });

  it('leaves one core to the event loop while hashing and verifying', async () => {
    let running = 0;
    const atOnce: number[] = [];
    const count = async <T>(work: Promise<T>) => {
      atOnce.push((running += 1));
      return work.finally(() => (running -= 1));
    };
    const argon2 = jest.requireActual<typeof import('@node-rs/argon2')>('@node-rs/argon2');
    const { hash, verify } = argon2;
    jest.spyOn(argon2, 'hash').mockImplementation((...args) => count(hash(...args)));
    jest.spyOn(argon2, 'verify').mockImplementation((...args) => count(verify(...args)));
    const ofOne = await hasher.hash('one');
    await Promise.all([hasher.hash('two'), hasher.verify(ofOne, 'one'), hasher.hash('three')]);

    expect(Math.max(...atOnce)).toBe(MAX_CONCURRENT);
    expect(atOnce).toHaveLength(4);
  });

  it('R8: rejects a hash that would wait for too many others', async () => {
    const all = Array.from({ length: MAX_QUEUED + 1 }, () => hasher.verify(NO_PASSWORD, 'any'));
    await expect(all.pop()).rejects.toMatchObject({ code: 'OVERLOADED' });
    expect(await Promise.all(all)).toEqual(Array(MAX_QUEUED).fill(false));
  });
});
