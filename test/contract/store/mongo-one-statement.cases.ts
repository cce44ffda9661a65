import { mongo } from 'mongoose';
import type { License } from '../../../src/licenses/license.js';
import { rejectedEvent } from '../../../src/licenses/license-event.js';
import { anEvent } from '../../builders/event.builder.js';
import { aCertification, aRenewal } from '../../builders/license.builder.js';
import { at } from '../../builders/time.js';
import { describeOnMongo } from '../../engines.js';
import { type Failure, MongoUnderTest } from '../mongo.engine.js';
import { activationOf, revocationOf } from '../port-arguments.js';
import { useInstances } from '../use-instances.js';
import { useStore } from '../use-store.js';

/** The server has done nothing. */
const LOST_CONNECTION = { closeConnection: true };
const NOT_PRIMARY = { errorCode: 10107, errorLabels: ['RetryableWriteError'] };
/** The statement is done, and the primary steps down before a majority has it. */
const STEPPED_DOWN = {
  writeConcernError: { code: 189, errmsg: 'the primary stepped down' },
  errorLabels: ['RetryableWriteError'],
};
/** The statement is done, but the server does not know whether a majority has it. */
const TIMED_OUT = { writeConcernError: { code: 50, errmsg: 'waiting exceeded the time limit' } };
const INTERRUPTED = { writeConcernError: { code: 64, errmsg: 'waiting was interrupted' } };

describeOnMongo('a change of one license on MongoDB', () => {
  const { store, stored } = useStore(() => {
    const uri = new URL(String(process.env.TEST_MONGODB_URI));
    uri.searchParams.set('monitorCommands', 'true');
    return MongoUnderTest.open(uri.href);
  });

  const activate = (license: License) => store.licenses.activate(...activationOf(license));
  const revoke = (license: License) => store.licenses.revoke(...revocationOf(license));
  const renew = (license: License) => {
    const event = anEvent(license, 'renewed', { at: at(3) });
    return store.licenses.renew(license, aRenewal(license, 3), event);
  };
  const certify = (license: License) => store.licenses.certify(aCertification(license));
  const reject = (license: License) =>
    store.events.recordRejection(rejectedEvent(license._id, 'revoked', 'machine 2', at(9)));

  const pending = () => stored.license();
  const active = () => stored.activeLicense();
  interface Change {
    readonly name: string;
    readonly from: () => Promise<License>;
    readonly change: (license: License) => Promise<unknown>;
    /** The types of its events. */
    readonly events: readonly string[];
  }
  const changes: Change[] = [
    { name: 'activate', from: pending, change: activate, events: ['activated'] },
    { name: 'revoke', from: active, change: revoke, events: ['revoked'] },
    { name: 'renew', from: active, change: renew, events: ['renewed'] },
    {
      name: 'certify, of a PENDING license',
      from: pending,
      change: certify,
      events: ['activated', 'certificate_issued'],
    },
    {
      name: 'certify, of an ACTIVE license',
      from: active,
      change: certify,
      events: ['certificate_issued'],
    },
    { name: 'recordRejection', from: active, change: reject, events: ['activation_refused'] },
  ];

  /** The types of the events that have been added, in any order. */
  const added = async (license: License, before: number) =>
    (await stored.eventsOf(license))
      .slice(0, -before)
      .map(({ type }) => type)
      .toSorted();

  describe.each(changes)('$name', ({ from, change, events }) => {
    it('is one write, which stores the event, too', async () => {
      const license = await from();
      const { length } = await stored.eventsOf(license);
      const commands: mongo.Document[] = [];
      const note = ({ command }: mongo.CommandStartedEvent) => {
        // Afterwards the project is read: it may have been deleted meanwhile.
        if (!('find' in command)) commands.push(command);
      };
      store.connection.getClient().on('commandStarted', note);
      await change(license);
      store.connection.getClient().off('commandStarted', note);
      expect(commands).toHaveLength(1);
      expect(commands[0]).not.toHaveProperty('autocommit');
      expect(await added(license, length)).toStrictEqual(events);
    });

    it.each([
      ['a lost connection', LOST_CONNECTION],
      ['a change of the primary', NOT_PRIMARY],
      ['a primary that stepped down after it', STEPPED_DOWN],
    ])('is done once where it is retried after %s', async (_cause, failure) => {
      const license = await from();
      const { length } = await stored.eventsOf(license);
      const result = await store.whileInjecting(atLicense(failure), () => change(license), 1);
      expect(result).not.toBeNull();
      expect(await added(license, length)).toStrictEqual(events);
    });

    it.each([
      ['exceeds the time limit', TIMED_OUT],
      ['is interrupted', INTERRUPTED],
    ])('is unavailable where waiting for a majority %s', async (_cause, failure) => {
      const license = await from();
      const failing = store.whileInjecting(atLicense(failure), () => change(license));
      await expect(failing).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    });
  });

  const atLicense = (failure: Omit<Failure, 'failCommands'>) => store.atStep('license', failure);

  it('is not done again where a caller repeats it after an unknown outcome', async () => {
    const license = await stored.license();
    for (const change of [activate, revoke]) {
      const unknown = store.whileInjecting(atLicense(TIMED_OUT), () => change(license));
      await expect(unknown).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
      expect(await change(license)).toBeNull();
    }
    expect(await stored.find(license)).toMatchObject({ status: 'REVOKED', machineId: 'machine 1' });
    const types = (await stored.eventsOf(license)).map(({ type }) => type);
    expect(types).toStrictEqual(['revoked', 'activated', 'created']);
  });

  it('that renews the term which was read is not done again, either', async () => {
    const license = await stored.activeLicense();
    const unknown = store.whileInjecting(atLicense(TIMED_OUT), () => renew(license));
    await expect(unknown).rejects.toMatchObject({ code: 'STORE_UNAVAILABLE' });
    expect(await renew(license)).toBeNull();
    expect(await stored.find(license)).toMatchObject({ termMonths: 9 });
  });

  it('takes a text that looks like an expression as it is', async () => {
    const license = await stored.license();
    const machineId = '$keyHash';
    await store.licenses.certify(aCertification(license, machineId));
    await store.events.recordRejection(rejectedEvent(license._id, 'revoked', '$_id', at(9)));
    await store.events.recordRejection(rejectedEvent(license._id, 'revoked', '$$ROOT', at(9)));
    expect(await stored.find(license)).toMatchObject({ machineId });
    const events = await stored.eventsOf(license);
    expect(events.map((event) => event.machineId)).toStrictEqual([
      '$$ROOT',
      machineId,
      machineId,
      null,
    ]);
  });
});

describeOnMongo('the record of a license on MongoDB', () => {
  const { store, stored, callEach } = useInstances(3);

  it('has at most 90 rejections, however many instances record them', async () => {
    const license = await stored.license();
    const counts = new Set<number>();
    const count = async () => {
      const _id = new mongo.ObjectId(license._id);
      const record = await store.collection('licenses').findOne({ _id });
      const events = record!.events as { type: string }[];
      counts.add(events.filter(({ type }) => type === 'activation_refused').length);
    };
    await Promise.all(
      callEach(120, async ({ events }, day) => {
        const time = at(day * 24 * 60);
        await events.recordRejection(rejectedEvent(license._id, 'revoked', 'machine 2', time));
        await count();
      }),
    );
    expect(Math.max(...counts)).toBe(90);
  });
});
