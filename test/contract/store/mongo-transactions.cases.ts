import type { Project } from '../../../src/projects/project.js';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { aLicense, aNewLicense } from '../../builders/license.builder.js';
import { aProject } from '../../builders/project.builder.js';
import { aLogin, aSession, aToken } from '../../builders/session.builder.js';
import { at } from '../../builders/time.js';
import { describeOnMongo } from '../../engines.js';
import { type Failure, MongoUnderTest } from '../mongo.engine.js';
import { aProjectWithLicense, revocationOf } from '../port-arguments.js';
import { STEPS } from '../store-under-test.js';
import { useStore } from '../use-store.js';

const WRITE_CONFLICT = { errorCode: 112, errorLabels: ['TransientTransactionError'] };
const NO_SUCH_TRANSACTION = { errorCode: 251, errorLabels: ['TransientTransactionError'] };
const LOST_CONNECTION = { closeConnection: true };
/** The write is done, but the server does not know whether a majority has it. */
const UNKNOWN_OUTCOME = { writeConcernError: { code: 64, errmsg: 'waiting was interrupted' } };

describeOnMongo('transactions on MongoDB', () => {
  const { store, stored } = useStore(() => MongoUnderTest.open());

  const create = (project: Project, license = aLicense(project), { projects } = store) =>
    projects.createWithFirstLicense(project, aNewLicense(license), anIdempotencyRecord());

  const createOneWhile = async (failure: Failure, times: number) => {
    const project = aProject(await stored.client());
    const license = aLicense(project);
    const work = () => create(project, license);
    const created = await store.whileInjecting(failure, work, times);
    expect(created).toStrictEqual({ project, license });
    expect(await store.projects.findOwned(project._id, project.owner)).toStrictEqual(project);
    expect(await stored.find(license)).toStrictEqual(license);
  };

  it.each([
    ['below one client', undefined],
    ['of one account with idempotency keys', anIdempotencyRecord],
  ])('%s do not overlap', async (_, idempotency) => {
    const client = await stored.client();
    const transaction = store.mongo.transaction.bind(store.mongo);
    const running: number[] = [];
    let now = 0;
    const counted: typeof transaction = (key, work) =>
      transaction(key, async (tx) => {
        running.push(++now);
        return work(tx).finally(() => now--);
      });
    const spy = jest.spyOn(store.mongo, 'transaction').mockImplementation(counted);
    await Promise.all(
      Array.from({ length: 50 }, () => {
        const [project, first] = aProjectWithLicense(client);
        const record = idempotency?.({ owner: client.owner });
        return store.projects.createWithFirstLicense(project, first, record);
      }),
    );
    spy.mockRestore();
    expect(running).toStrictEqual(Array(50).fill(1));
  });

  it.each(
    STEPS.flatMap((step) => [
      { step, cause: 'a write conflict', failure: WRITE_CONFLICT, times: 3 },
      { step, cause: 'a transaction that is gone', failure: NO_SUCH_TRANSACTION, times: 3 },
      { step, cause: 'a lost connection', failure: LOST_CONNECTION, times: 1 },
    ]),
  )('create a project once after $cause at: $step', async ({ step, failure, times }) => {
    await createOneWhile(store.atStep(step, failure), times);
  });

  it('create a project once though the outcome of the commit is unknown', async () => {
    await createOneWhile(store.atStep('commit', UNKNOWN_OUTCOME), 2);
  });

  it('report a key collision after a write conflict over it', async () => {
    const { keyHash } = await stored.license();
    const project = aProject(await stored.client());
    const failure = store.atStep('license', WRITE_CONFLICT);
    const work = () => create(project, aLicense(project, { keyHash }));
    expect(await store.whileInjecting(failure, work, 1)).toBe('key_collision');
    expect(await store.projects.findOwned(project._id, project.owner)).toBeNull();
  });

  it('store nothing after a rejection because the store is too slow', async () => {
    const hurried = await MongoUnderTest.connect(new URL(store.uri), { milliseconds: 600 });
    const client = await stored.client();
    const [slow, next] = [aProject(client), aProject(client)];
    const failure = store.atStep('license', { blockConnection: true, blockTimeMS: 1_000 });
    const work = () => create(slow, undefined, hurried);
    const outcome = store.whileInjecting(failure, work, 1);
    await expect(outcome).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    // It waits until the slow transaction has ended.
    expect(await create(next, undefined, hurried)).toMatchObject({ project: next });
    await hurried.leave();
    expect(await store.projects.findOwned(slow._id, slow.owner)).toBeNull();
  });

  it('rotate a token once though the outcome of the commit is unknown', async () => {
    const user = await stored.user();
    const first = aToken();
    await store.sessions.start(aSession(user), aLogin(user, first));
    const second = { ...aToken(first), expiresAt: at(120) };
    const rotate = () => store.sessions.rotate(first, second, at(1));
    const unknown = store.atStep('commit', UNKNOWN_OUTCOME);
    expect((await store.whileInjecting(unknown, rotate, 1)).outcome).toBe('rotated');
    const third = { tokenHash: 'third', expiresAt: at(120) };
    expect((await store.sessions.rotate(second, third, at(2))).outcome).toBe('rotated');
  });

  it.each([
    { cause: 'a write conflict', failure: WRITE_CONFLICT, times: 3 },
    { cause: 'a transaction that is gone', failure: NO_SUCH_TRANSACTION, times: 3 },
    { cause: 'a lost connection', failure: LOST_CONNECTION, times: 1 },
    { cause: 'an unknown outcome', failure: UNKNOWN_OUTCOME, times: 2 },
  ])('revoke a license once after $cause at the commit', async ({ failure, times }) => {
    const license = await stored.license();
    const revoke = () => store.licenses.revoke(...revocationOf(license), anIdempotencyRecord());
    const revoked = await store.whileInjecting(store.atStep('commit', failure), revoke, times);
    expect(revoked?.status).toBe('REVOKED');
    expect(await revoke()).toBeNull();
    expect(await stored.eventsOf(license)).toHaveLength(2);
  });
});
