import { mongo } from 'mongoose';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { toStartupError } from './startup-failure.js';

// Messages of the driver and the server may quote their input.
const SECRET = 'correct-horse';

const rejected = (code: number, codeName: string) =>
  new mongo.MongoServerError({ message: `no: ${SECRET}`, code, codeName });

const noPrimary = (...types: mongo.ServerType[]) => {
  const servers = types.map((type, index) => [
    `db${index}:27017`,
    { type, address: `db${index}:27017` },
  ]);
  const reason = { servers: new Map(servers as never) };
  return new mongo.MongoServerSelectionError(`no: ${SECRET}`, reason as never);
};

describe('toStartupError', () => {
  it.each<[string, Error, string]>([
    ['a wrong password', rejected(18, 'AuthenticationFailed'), 'percent-encode'],
    ["a wrong password in MongoDB's cloud", rejected(8000, 'AtlasError'), 'percent-encode'],
    ['a missing right', rejected(13, 'Unauthorized'), 'the role readWrite'],
    ['a full disk', rejected(14031, 'OutOfDiskSpace'), 'free some space'],
    [
      'an index that is being built',
      rejected(12587, 'BackgroundOperationInProgressForNamespace'),
      'start again when it is complete',
    ],
    ['an index in the way', rejected(86, 'IndexKeySpecsConflict'), '(IndexKeySpecsConflict)'],
    ['a server that is down', noPrimary('Unknown', 'RSSecondary'), 'db0:27017, db1:27017'],
    ['a replica set that was never initiated', noPrimary('RSGhost'), 'rs.initiate()'],
    ['no member of the replica set', noPrimary(), 'correct replicaSet'],
    ['a failing connection', new mongo.MongoNetworkError(SECRET), '(MongoNetworkError)'],
    ['anything else', new TypeError(SECRET), '(TypeError)'],
  ])('explains %s in one sentence, which quotes neither driver nor server', (_, error, remedy) => {
    const { message } = toStartupError(error);
    expect(message).toMatch(/^[^\n]+\.$/);
    expect(message).toContain(remedy);
    expect(message).not.toContain(SECRET);
  });

  it('leaves a StartupError as it is', () => {
    const explained = new StartupError('Why, and what to do.');
    expect(toStartupError(explained)).toBe(explained);
  });
});
