import { mongo } from 'mongoose';
import { StartupError } from '../../shared/errors/startup-error.js';
import { explainCopyFailure } from '../copy-to-mongo.js';
import { isOutage } from './driver-errors.js';
import { toStartupError } from './startup-failure.js';

// Messages of the driver and the server may quote their input.
const SECRET = 'correct-horse';

const serverError = (code: number, fields: { errorLabels?: string[]; codeName?: string } = {}) =>
  new mongo.MongoServerError({ message: `no: ${SECRET}`, code, ...fields });
const labelled = (code: number, label: string) => serverError(code, { errorLabels: [label] });

/** A system error, which the driver does not wrap. */
const brokenConnection = Object.assign(new Error('write ECONNRESET'), { code: 'ECONNRESET' });

const noPrimary = (...types: mongo.ServerType[]) => {
  const servers = types.map((type, index) => [
    `db${index}:27017`,
    { type, address: `db${index}:27017` },
  ]);
  const reason = { servers: new Map(servers as never) };
  return new mongo.MongoServerSelectionError(`no: ${SECRET}`, reason as never);
};

const writeConcernError = { code: 64, errmsg: 'waited' };
const unacknowledged = new mongo.MongoWriteConcernError({ ok: 1, writeConcernError });

describe('isOutage', () => {
  it.each<[string, unknown]>([
    ['a lost connection', new mongo.MongoNetworkError('connection closed')],
    ['a missing primary', noPrimary('Unknown')],
    ['a connection that broke during a write', brokenConnection],
    ['a closed client', new mongo.MongoNotConnectedError('not connected')],
    ['a write that the server calls retryable', labelled(262, 'RetryableWriteError')],
    ['a transaction with a conflict', labelled(112, 'TransientTransactionError')],
    ['an unknown outcome', labelled(64, 'UnknownTransactionCommitResult')],
    ['a write that no majority has acknowledged', unacknowledged],
    ['a read from a primary that has stepped down', serverError(10107)],
    ['a statement that was killed', serverError(11601)],
    ['a statement that the server ended for taking too long', serverError(50)],
  ])('is %s', (_, error) => {
    expect(isOutage(error)).toBe(true);
  });

  it('is neither a duplicate key nor a bug', () => {
    expect(isOutage(serverError(11000))).toBe(false);
    expect(isOutage(new TypeError('undefined is not a function'))).toBe(false);
  });
});

describe('the message for the operator', () => {
  const expectSentence = (explained: unknown, remedy: string) => {
    expect(explained).toBeInstanceOf(StartupError);
    const { message } = explained as Error;
    expect(message).toMatch(/^[^\n]+\.$/);
    expect(message).toContain(remedy);
    expect(message).not.toContain(SECRET);
  };

  it.each<[string, Error, string]>([
    ['a wrong password', serverError(18), 'percent-encode'],
    ["a wrong password in MongoDB's cloud", serverError(8000), 'percent-encode'],
    ['a missing right', serverError(13), 'the readWrite role'],
    ['a full disk', serverError(14031), 'Free some space'],
    ['an index in the way', serverError(86, { codeName: 'IndexConflict' }), '(IndexConflict)'],
    ['a server that is down', noPrimary('Unknown', 'RSSecondary'), 'db0:27017, db1:27017'],
    ['a replica set that was never initiated', noPrimary('RSGhost'), 'rs.initiate()'],
    ['no member of the replica set', noPrimary(), 'Correct replicaSet'],
    ['a failing connection', new mongo.MongoNetworkError(SECRET), '(MongoNetworkError)'],
  ])('explains %s on startup', (_, error, remedy) => {
    expectSentence(toStartupError(error), remedy);
  });

  it('is the same during a copy, except for a lost connection', () => {
    const full = serverError(14031);
    expect(explainCopyFailure(full)).toEqual(toStartupError(full));
    const lost = new mongo.MongoNetworkError(SECRET);
    expectSentence(explainCopyFailure(lost), 'The connection to MongoDB was lost');
  });

  it('keeps an explained error, and a bug during a copy, unchanged', () => {
    const [explained, bug] = [new StartupError('Why, and what to do.'), new TypeError('a bug')];
    expect(toStartupError(explained)).toBe(explained);
    expect(explainCopyFailure(bug)).toBe(bug);
  });
});
