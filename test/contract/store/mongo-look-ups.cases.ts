import { mongo } from 'mongoose';
import type { License } from '../../../src/licenses/license.js';
import { requestContext } from '../../../src/shared/request-context.js';
import { DELETED_PROJECTS } from '../../../src/storage/mongo/schemas/deleted-projects.schema.js';
import { describeOnMongo } from '../../engines.js';
import { MongoUnderTest } from '../mongo.engine.js';
import { revocationOf } from '../port-arguments.js';
import { useStore } from '../use-store.js';

describeOnMongo('look-ups of license keys on MongoDB', () => {
  /** The keyed hashes of each statement. */
  const lookedUp: string[][] = [];
  const { store, stored } = useStore(() => {
    const uri = new URL(String(process.env.TEST_MONGODB_URI));
    uri.searchParams.set('monitorCommands', 'true');
    return MongoUnderTest.open(uri.href);
  });
  let licenses: License[];
  beforeAll(async () => {
    store.connection.getClient().on('commandStarted', ({ commandName, command }) => {
      const { filter } = command as { filter?: { keyHash?: { $in?: string[] } } };
      if (commandName !== 'find' || !filter?.keyHash?.$in) return;
      lookedUp.push(filter.keyHash.$in.filter((keyHash) => keyHash !== DELETED_PROJECTS));
    });
    licenses = await Promise.all(Array.from({ length: 5 }, () => stored.license()));
  });
  beforeEach(() => void lookedUp.splice(0));

  const find = ({ keyHash }: { keyHash: string }) => store.licenses.findByKeyHash(keyHash);

  it('of one tick are one statement, and each gets its own license or none', async () => {
    const [first, second] = licenses as [License, License];
    const asked = [first, { keyHash: 'unknown' }, second, first];
    expect(await Promise.all(asked.map(find))).toStrictEqual([first, null, second, first]);
    expect(lookedUp).toEqual([[first.keyHash, 'unknown', second.keyHash, first.keyHash]]);
  });

  it('are at most 100 a statement', async () => {
    const unknown = Array.from({ length: 250 }, (_, number) => ({ keyHash: `unknown ${number}` }));
    await Promise.all(unknown.map(find));
    expect(lookedUp.map(({ length }) => length)).toEqual([100, 100, 50]);
  });

  it('are never answered by a statement that began before them', async () => {
    const license = await stored.license();
    const early = find(license);
    // Its statement has been sent when the revocation begins, and a later look-up sends its own.
    while (lookedUp.length === 0) await new Promise(setImmediate);
    const revoked = store.licenses.revoke(...revocationOf(license));
    await Promise.all([early, revoked]);
    expect(await find(license)).toMatchObject({ status: 'REVOKED' });
    expect(lookedUp).toHaveLength(2);
  });

  it('end by the deadline of their own request, and go on for the others', async () => {
    const [license] = licenses as [License];
    const endsAt = performance.now() - 1;
    const late = { endsAt } as ReturnType<typeof requestContext.getStore> & object;
    const [rejected, found] = await Promise.allSettled([
      requestContext.run(late, () => find(license)),
      find(license),
    ]);
    expect(rejected).toMatchObject({ reason: { code: 'STORE_UNAVAILABLE' } });
    expect(found).toEqual({ status: 'fulfilled', value: license });
  });

  it('all fail where their statement fails, and the next ones do not', async () => {
    const failing = { failCommands: ['find'], errorCode: 2 };
    const results = await store.whileInjecting(
      failing,
      () => Promise.allSettled(licenses.map(find)),
      1,
    );
    expect(results.map(({ status }) => status)).toEqual(licenses.map(() => 'rejected'));
    expect(results[0]).toMatchObject({ reason: expect.any(mongo.MongoServerError) as Error });
    expect(await Promise.all(licenses.map(find))).toStrictEqual(licenses);
  });
});
