import { type Connection, createConnection, type mongo } from 'mongoose';
import { COLLECTIONS } from '../../../src/collections.js';
import { indexesOf, indexName } from '../../../src/storage/choose-index.js';
import { addDays, startOfDay } from '../../../src/shared/time/days.js';
import type { OpenMode } from '../../../src/storage/open-mode.js';
import { copyRecordedStore, readRecordedDatabase } from '../../e2e/recorded/recorded-store.js';
import { describeOnMongo } from '../../engines.js';
import { MongoUnderTest, whileFailing } from '../mongo-under-test.js';

type Content = Record<string, mongo.Document[]>;

/** Of the collections of 0.5, those that an instance of the service keeps to itself. */
const NOT_COMPARED = ['upgrades', 'instances'];

/** Written by an instance at any time. */
const WRITES = [
  ...['insert', 'update', 'delete', 'findAndModify', 'aggregate'],
  ...['createIndexes', 'dropIndexes', 'drop'],
];
const NOT_RETRIED = { errorCode: 8 };

describeOnMongo('a database of version 0.5', () => {
  const connections: Connection[] = [];
  afterAll(async () => {
    for (const connection of connections) {
      await connection.dropDatabase();
      await connection.close();
    }
  });

  /** A database as 0.5 has left it. */
  const database = async () => {
    const uri = new URL(String((await copyRecordedStore('MongoDB')).MONGODB_URI));
    // Failures are injected into the commands of these clients alone.
    uri.searchParams.set('appName', uri.pathname.slice(1));
    const connection = await createConnection(uri.href).asPromise();
    connections.push(connection);
    return { uri, connection };
  };

  const contentOf = async (connection: Connection): Promise<Content> => {
    const names = (await connection.listCollections()).map(({ name }) => name);
    const compared = names.filter((name) => !NOT_COMPARED.includes(name)).toSorted();
    const all = compared.map(async (name) => {
      const documents = await connection.collection(name).find().sort({ _id: 1 }).toArray();
      return [name, documents] as const;
    });
    return Object.fromEntries(await Promise.all(all));
  };

  const start = async (uri: URL, mode: OpenMode = 'service') => {
    const instance = await MongoUnderTest.connect(uri, { collections: COLLECTIONS, mode });
    await instance.leave();
  };

  // Its events, as the service shows them, are compared in test/e2e/recorded.
  describe('that three instances start on at the same time', () => {
    let content: Content;
    let connection: Connection;
    const before = readRecordedDatabase();
    beforeAll(async () => {
      const opened = await database();
      connection = opened.connection;
      await Promise.all([1, 2, 3].map(() => start(opened.uri)));
      content = await contentOf(connection);
    });

    const documentsOf = (collection: string) => before[collection]!.documents;
    const licenses = () => documentsOf('licenses').filter(({ keyHash }) => keyHash[0] !== '!');

    it('has an owner and one record of totals of each account, and what 0.5 did not know of sessions, addresses and events', () => {
      const idsOf = (name: string) => content[name]!.map(({ _id }) => String(_id));
      expect(idsOf('totals')).toEqual(idsOf('users'));
      for (const user of content.users!) {
        expect(user).toMatchObject({ account: user._id, role: 'owner', disabledAt: null });
      }
      for (const session of content.sessions!) {
        const { user: accountId, startedAt: lastUsedAt } = session;
        expect(session).toMatchObject({ accountId, lastUsedAt, address: null, userAgent: null });
      }
      for (const one of content.login_addresses!) expect(one.accountId).toEqual(one.user);
      expect(content.sessions).not.toEqual([]);
      for (const event of content.events!) {
        const { actor, data, at: storedAt } = event;
        const isOfMachine = actor !== null && actor === data.machineId;
        const actorType = isOfMachine ? 'machine' : actor ? 'user' : 'system';
        const unknown = { subjectName: null, actorName: null, lastAt: null, requestId: null };
        expect(event).toMatchObject({ ...unknown, actorType, storedAt });
      }
      expect(content.licenses!.filter((license) => 'events' in license)).toEqual([]);
    });

    it('has the machine of each license, the end of its certificates and its next notice', () => {
      const issued = content.events!.filter(({ type }) => type === 'license.certificate_issued');
      expect(issued).not.toEqual([]);
      for (const { _id, status, machineId, activatedAt, expiresAt } of licenses()) {
        const ends = issued
          .filter(({ subject }) => _id.equals(subject))
          .map(({ data }) => data.certificateExpiresAt as Date);
        const certificateEndsAt = ends.toSorted((a, b) => Number(b) - Number(a))[0] ?? null;
        const machine = {
          ...{ machineId, name: null, activatedAt, leaseEndsAt: null, isCertified: false },
          ...{ lastSeenAt: machineId && startOfDay(activatedAt), certificateEndsAt },
          isReleased: false,
        };
        const notices = [30, 7, 1, 0].map((days) => addDays(expiresAt, -days));
        const ahead = notices.find((notice) => status === 'ACTIVE' && notice > new Date());
        const license = content.licenses!.find((one) => _id.equals(one._id))!;
        expect(license.machines).toEqual(machineId ? [machine] : []);
        expect(license.certificatesEndAt ?? null).toEqual(certificateEndsAt);
        expect(license.nextNoticeAt ?? null).toEqual(ahead ?? null);
      }
    });

    it('has a task for each deleted project whose licenses are still stored', () => {
      const list = documentsOf('licenses').find(({ keyHash }) => keyHash[0] === '!')!;
      const tasks = (list.projects as mongo.Document[]).map(({ _id, owner }) => ({
        ...{ _id, project: _id, accountId: owner, work: 'remove', product: null },
        ...{ createdAt: expect.any(Date) as Date, version: 1 },
      }));
      expect(content.project_tasks).toEqual(tasks);
      expect(content.licenses).toHaveLength(licenses().length);
    });

    it('has the collections, indexes and version of this program, and no other; the server deletes what has expired', async () => {
      const names = [...COLLECTIONS.map(({ name }) => name), 'rate_limit_windows'];
      expect(Object.keys(content)).toEqual(names.toSorted());
      for (const collection of COLLECTIONS) {
        const { name } = collection;
        const versions = content[name]!.map(({ version }) => version as number);
        expect([name, versions.filter((version) => version !== 1)]).toEqual([name, []]);
        const indexes = Object.keys(await connection.collection(name).indexInformation());
        const declared = indexesOf(collection).map((fields) => indexName(collection, fields));
        expect(indexes.toSorted()).toEqual(['_id_', ...declared].toSorted());
      }
      const kept = async (name: string) =>
        (await connection.collection(name).indexes()).flatMap(
          (index) => index.expireAfterSeconds ?? [],
        );
      expect(await kept('idempotency_records')).toEqual([86_400]);
      expect(await kept('rate_limit_windows')).toEqual([3_600]);
      const newer = connection.collection('upgrades').find({ schema: { $gt: 5 } });
      expect(await newer.toArray()).toEqual([{ _id: 'records-declared-once', schema: 6 }]);
    });

    it('is the same after a migration that was interrupted, however often', async () => {
      const interrupted = await database();
      const client = interrupted.connection.getClient();
      const failure = { failCommands: WRITES, ...NOT_RETRIED };
      let starts = 0;
      for (let isDone = false; !isDone; starts += 1) {
        // Each start comes some steps further.
        const mode = { skip: 5 * starts + 2 };
        isDone = await whileFailing(client, interrupted.connection.name, failure, mode, () =>
          start(interrupted.uri).then(
            () => true,
            () => false,
          ),
        );
        await interrupted.connection
          .collection('upgrades')
          .updateOne({ until: { $exists: true } }, { $set: { until: new Date(0) } });
      }
      expect(starts).toBeGreaterThan(4);
      const [repeated, expected] = [await contentOf(interrupted.connection), content].map(
        ({ project_tasks: tasks, ...others }) => ({
          ...others,
          tasks: tasks!.map((task) => ({ ...task, createdAt: undefined })),
        }),
      );
      expect(repeated).toEqual(expected);
    });
  });

  it('is not migrated by a command', async () => {
    const { uri, connection } = await database();
    const before = await contentOf(connection);
    for (const mode of ['tool', 'exclusive tool'] as const) {
      await expect(start(uri, mode)).rejects.toThrow(/start the service of this version first/);
    }
    expect(await contentOf(connection)).toEqual(before);
  });
});
