import { AsyncLocalStorage } from 'node:async_hooks';
import { mongo } from 'mongoose';
import { MAX_LOGIN_ADDRESSES, MAX_SESSIONS } from '../../../src/auth/sessions/session.js';
import { rotated } from '../../../src/certificates/signing-keys/signing-keys.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { statementOptions } from '../../../src/storage/mongo/connection/statement-deadline.js';
import { aClient } from '../../builders/client.builder.js';
import { anEvent } from '../../builders/event.builder.js';
import { anIdempotencyRecord } from '../../builders/idempotency-record.builder.js';
import { aCertification, aReissue, aRenewal } from '../../builders/license.builder.js';
import { aLogin, aSession, aToken } from '../../builders/session.builder.js';
import { aSigningKey, someSigningKeys } from '../../builders/signing-keys.builder.js';
import { at } from '../../builders/time.js';
import { aUser } from '../../builders/user.builder.js';
import { describeOnMongo } from '../../engines.js';
import { MongoUnderTest } from '../mongo.engine.js';
import { firstPage } from '../pages.js';
import { activationOf } from '../port-arguments.js';
import { useStore } from '../use-store.js';

const EVERYTHING = { client: undefined, search: undefined };

/** Commands without a deadline: they read and write no data, or end a transaction. */
const UNBOUNDED = ['abortTransaction', 'killSessions', 'endSessions', 'ping'];

/** A command that was sent to the server for a statement of the store. */
interface Command {
  readonly name: string;
  readonly isBounded: boolean;
  /** Sent by the work of a transaction. */
  readonly isOfTransaction: boolean;
  /** Sent with the session of a transaction. */
  readonly isInTransaction: boolean;
}

describeOnMongo('the statements on MongoDB', () => {
  const commands: Command[] = [];
  const { store, stored } = useStore(() => {
    const uri = new URL(String(process.env.TEST_MONGODB_URI));
    uri.searchParams.set('monitorCommands', 'true');
    return MongoUnderTest.open(uri.href);
  });
  beforeAll(async () => {
    const working = markTransactions();
    store.connection.getClient().on('commandStarted', ({ commandName, command }) => {
      // Ignores the tests' own commands: the store did not send them.
      if (!statementOptions() || UNBOUNDED.includes(commandName)) return;
      commands.push({
        name: commandName,
        isBounded: Number(command.maxTimeMS) > 0,
        isOfTransaction: working.getStore() === true,
        isInTransaction: command.autocommit === false,
      });
    });
    await runEveryStatement();
  });
  afterAll(() => jest.restoreAllMocks());

  /** Runs the work of every transaction in a context of its own. */
  const markTransactions = (): AsyncLocalStorage<true> => {
    const working = new AsyncLocalStorage<true>();
    const transaction = store.mongo.transaction.bind(store.mongo);
    const marked: typeof transaction = (key, work) =>
      transaction(key, (tx) => working.run(true, () => work(tx)));
    jest.spyOn(store.mongo, 'transaction').mockImplementation(marked);
    return working;
  };

  const runEveryStatement = async () => {
    await useAccounts();
    await useClientsAndProjects();
    await useLicenses();
    await useSigningKeys();
    await deleteAccount();
    await useRateLimits();
    await store.deployment.keepFirst('data-keys', 'value');
    await store.health.ping();
  };

  const useAccounts = async () => {
    const user = aUser();
    await store.users.createFirst(user);
    await store.users.create(aUser());
    await store.users.findById(user._id);
    await store.users.findByEmail(user.email);
    await store.users.list(undefined, 10);
    const { _id, ...session } = aSession(user);
    const owner = new mongo.ObjectId(user._id);
    const sessions = Array.from({ length: MAX_SESSIONS }, () => ({ ...session, user: owner }));
    await store.collection('sessions').insertMany(sessions);
    const addresses = Array.from({ length: MAX_LOGIN_ADDRESSES }, () => ({ user: owner }));
    await store.collection('login_addresses').insertMany(addresses);
    const login = aLogin(user);
    await store.sessions.start({ _id, ...session }, login);
    await store.sessions.start(aSession(user), aLogin(user, { passwordHash: 'wrong' }));
    const successor = { ...aToken(login), expiresAt: at(60) };
    await store.sessions.rotate(login, successor, at(1));
    await store.sessions.rotate(login, successor, at(1));
    await store.sessions.end(aToken());
    const change = { user: user._id, session: newObjectId(), newHash: 'new', at: at(1) };
    const { passwordHash: currentHash } = user;
    await store.users.changePassword({ ...change, currentHash }, anIdempotencyRecord());
    await store.users.resetPassword(user._id, 'other', at(1));
    await store.users.disable(user.email, at(1));
    await store.users.enable(user.email, at(1));
  };

  const useClientsAndProjects = async () => {
    const client = await stored.client();
    const { _id, owner } = client;
    await store.clients.update(_id, owner, { name: 'Other' }, at(1));
    await store.clients.listOwned(owner, 'o', firstPage());
    const { project } = await stored.project(client);
    await stored.licenseOf(project);
    await store.projects.update(project._id, owner, { name: 'Other', product: 'shop' }, at(1));
    await store.projects.listOwned(owner, { client: _id, product: 'shop' }, firstPage());
    await store.clients.deleteWithoutProjects(_id, owner);
    await store.dashboard.read(owner, EVERYTHING, firstPage(20));
    const counted = { now: at(1), expiringBy: [at(2)], activatedSince: at(0) };
    await store.dashboard.countLicenses(owner, counted);
    await store.projects.deleteWithLicenses(project._id, owner, at(9));
    await store.clients.deleteWithoutProjects(_id, owner);
  };

  const useLicenses = async () => {
    const license = await stored.activeLicense();
    const { _id, keyHash, user } = license;
    await store.licenses.findByKeyHash(keyHash);
    await store.licenses.activate(...activationOf(license));
    await store.events.recordRejection(anEvent(license, 'activation_refused'));
    await store.events.list(_id, firstPage());
    await store.events.listTermEnds(_id);
    const first = await stored.license();
    await store.licenses.certify(aCertification(first), anIdempotencyRecord());
    await store.licenses.certify(aCertification(license), anIdempotencyRecord());
    const renewal = aRenewal(license, 1);
    await store.licenses.renew(
      license,
      renewal,
      anEvent(license, 'renewed'),
      anIdempotencyRecord(),
    );
    const idempotency = () => anIdempotencyRecord({ owner: user });
    await store.licenses.reissue(aReissue(license), idempotency());
    store.quotas.idempotencyRecords = 1;
    const beyondQuota = store.clients.create(aClient({ owner: user }), idempotency());
    await expect(beyondQuota).rejects.toMatchObject({ code: 'IDEMPOTENCY_QUOTA_REACHED' });
  };

  const useSigningKeys = async () => {
    const keys = await stored.signingKeys();
    const { _id, issuer, current } = keys;
    await store.signingKeys.keepFirst(keys);
    await store.signingKeys.find(_id);
    await store.signingKeys.findByIssuer(issuer);
    const after = rotated(keys, aSigningKey(), false, at(1))!;
    await store.signingKeys.rotate(current.kid, after, anIdempotencyRecord());
    await store.signingKeys.import(after);
    expect(await store.signingKeys.import(someSigningKeys({ issuer }))).toBe('issuer_taken');
  };

  const useRateLimits = async () => {
    const limit = { name: 'loginByAddress', requests: 3, seconds: 900 } as const;
    await store.rateLimits.look(limit, 'key', at(1));
    await store.rateLimits.hit(limit, 'key', at(1));
    const { settle } = await store.rateLimits.reserve(limit, 'key', at(1));
    await settle!(true, at(1));
  };

  const deleteAccount = async () => {
    const { user } = await stored.license();
    await stored.signingKeys({ _id: user });
    await store.accountDeletion.deleteProject(user, true, at(1));
    await store.removeDeleted();
    await store.accountDeletion.deleteEmpty(user, at(1));
    await store.accountDeletion.deleteClients(user);
    await store.accountDeletion.deleteEmpty(user, at(1));
  };

  const namesOf = (found: Command[]) => [...new Set(found.map(({ name }) => name))].toSorted();

  it('have the deadline of their request on the server', () => {
    expect(commands.filter(({ isBounded }) => !isBounded)).toStrictEqual([]);
    const all = ['aggregate', 'commitTransaction', 'delete', 'find', 'findAndModify', 'insert'];
    expect(namesOf(commands)).toStrictEqual([...all, 'update']);
  });

  it('belong to the transaction whose work runs them', () => {
    const ofTransactions = commands.filter(({ isOfTransaction }) => isOfTransaction);
    expect(ofTransactions.filter(({ isInTransaction }) => !isInTransaction)).toStrictEqual([]);
    const all = ['aggregate', 'delete', 'find', 'findAndModify', 'insert', 'update'];
    expect(namesOf(ofTransactions)).toStrictEqual(all);
  });
});
