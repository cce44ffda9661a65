import type { Project } from '../../../src/projects/project.js';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { aClient } from '../../builders/client.builder.js';
import { anEvent } from '../../builders/event.builder.js';
import { aLicense, aNewLicense, anActivation } from '../../builders/license.builder.js';
import { aProject } from '../../builders/project.builder.js';
import { aLogin, aSession, aToken } from '../../builders/session.builder.js';
import { at } from '../../builders/time.js';
import { aUser } from '../../builders/user.builder.js';
import { describeOnMongo } from '../engines.js';
import { type Failure, mongodb, MongoUnderTest } from '../mongo.engine.js';
import { firstPage } from '../pages.js';
import type { Stored } from '../stored.js';
import { useStore } from '../use-store.js';

const WRITE_CONFLICT = { errorCode: 112, errorLabels: ['TransientTransactionError'] };
const NO_SUCH_TRANSACTION = { errorCode: 251, errorLabels: ['TransientTransactionError'] };
const LOST_CONNECTION = { closeConnection: true };
/** The write is done, but the server does not know yet whether a majority has it. */
const UNKNOWN_OUTCOME = { writeConcernError: { code: 64, errmsg: 'waiting was interrupted' } };

describeOnMongo('transactions on MongoDB', () => {
  let store: MongoUnderTest;
  let stored: Stored;
  useStore(
    () => MongoUnderTest.open(),
    (...opened) => ([store, stored] = opened),
  );

  const failing = async <T>(failure: Failure, times: number, work: () => Promise<T>) => {
    const heal = await store.inject(failure, times);
    try {
      return await work();
    } finally {
      await heal();
    }
  };

  const create = (project: Project, license = aLicense(project), { projects } = store) =>
    projects.createWithFirstLicense(project, aNewLicense(license), anIdempotencyRecord());

  const createOneWhile = async (failure: Failure, times: number) => {
    const project = aProject(await stored.client());
    const license = aLicense(project);
    const work = () => create(project, license);
    expect(await failing(failure, times, work)).toStrictEqual({ project, license });
    expect(await store.projects.findOwned(project._id, project.owner)).toStrictEqual(project);
    expect(await store.licenses.findOwned(license._id, license.user)).toStrictEqual(license);
  };

  it('of one account run one after the other: 50 writes never overlap', async () => {
    const { owner } = await stored.client();
    const transaction = store.mongo.transaction.bind(store.mongo);
    const running: number[] = [];
    let now = 0;
    const counted: typeof transaction = (key, work, priority) =>
      transaction(
        key,
        async (tx) => {
          running.push(++now);
          return work(tx).finally(() => now--);
        },
        priority,
      );
    const spy = jest.spyOn(store.mongo, 'transaction').mockImplementation(counted);
    await Promise.all(
      Array.from({ length: 50 }, (_, index) =>
        store.clients.create(
          aClient({ owner }),
          index % 2 ? anIdempotencyRecord({ owner }) : undefined,
        ),
      ),
    );
    spy.mockRestore();
    expect(running).toStrictEqual(Array(50).fill(1));
  });

  it.each(
    mongodb.creationSteps.flatMap((step) => [
      { step, cause: 'a write conflict', failure: WRITE_CONFLICT, times: 3 },
      { step, cause: 'a transaction that is gone', failure: NO_SUCH_TRANSACTION, times: 3 },
      { step, cause: 'a lost connection', failure: LOST_CONNECTION, times: 1 },
    ]),
  )('create once what was retried for $cause at: $step', async ({ step, failure, times }) => {
    await createOneWhile(store.atStep(step, failure), times);
  });

  it('create once what was committed without the server knowing for sure', async () => {
    await createOneWhile(store.atStep('commit', UNKNOWN_OUTCOME), 2);
  });

  it('report a key collision after a write conflict over it', async () => {
    const { keyHash } = await stored.license();
    const project = aProject(await stored.client());
    const failure = store.atStep('license', WRITE_CONFLICT);
    const work = () => create(project, aLicense(project, { keyHash }));
    expect(await failing(failure, 1, work)).toBe('key_collision');
    expect(await store.projects.findOwned(project._id, project.owner)).toBeNull();
  });

  it('store nothing after they were rejected because the store is too slow', async () => {
    const hurried = await MongoUnderTest.connect(new URL(store.uri), { milliseconds: 600 });
    const client = await stored.client();
    const [slow, next] = [aProject(client), aProject(client)];
    const failure = store.atStep('license', { blockConnection: true, blockTimeMS: 1_000 });
    const outcome = failing(failure, 1, () => create(slow, undefined, hurried));
    await expect(outcome).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    // It runs when nothing of the slow one is left.
    expect(await create(next, undefined, hurried)).toMatchObject({ project: next });
    await hurried.leave();
    expect(await store.projects.findOwned(slow._id, slow.owner)).toBeNull();
  });

  it('rotate a token once though the outcome of the commit was unknown', async () => {
    const user = aUser();
    await store.users.create(user);
    const first = aToken();
    await store.sessions.start(aSession(user), aLogin(user, first));
    const second = { ...aToken(first), expiresAt: at(120) };
    const rotate = () => store.sessions.rotate(first, second, at(1));
    const { outcome } = await failing(store.atStep('commit', UNKNOWN_OUTCOME), 1, rotate);
    expect(outcome).toBe('rotated');
    const third = { tokenHash: 'third', expiresAt: at(120) };
    expect((await store.sessions.rotate(second, third, at(2))).outcome).toBe('rotated');
  });

  it.each([
    { cause: 'a write conflict', failure: WRITE_CONFLICT, times: 3 },
    { cause: 'a transaction that is gone', failure: NO_SUCH_TRANSACTION, times: 3 },
    { cause: 'a lost connection', failure: LOST_CONNECTION, times: 1 },
    { cause: 'an unknown outcome', failure: UNKNOWN_OUTCOME, times: 2 },
  ])('activate once what was retried for $cause at the commit', async ({ failure, times }) => {
    const license = await stored.license();
    const activate = () =>
      store.licenses.activate(
        license._id,
        anActivation('machine 1'),
        anEvent(license, 'activated'),
      );
    const activated = await failing(store.atStep('commit', failure), times, activate);
    expect(activated?.machineId).toBe('machine 1');
    expect(await activate()).toBeNull();
    expect((await store.events.list(license._id, firstPage())).data).toHaveLength(2);
  });
});
