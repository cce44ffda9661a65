import { mongo } from 'mongoose';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { explainCopyFailure } from './copy-failure.js';

const SECRET = 'correct-horse';

const bulk = (code: number) => {
  const result = { getWriteErrorAt: () => undefined, getWriteErrors: () => [] };
  return new mongo.MongoBulkWriteError(
    { message: SECRET, code, writeErrors: [] },
    result as unknown as mongo.BulkWriteResult,
  );
};

describe('a failure of MongoDB during a copy', () => {
  it.each<[string, Error, string]>([
    ['a lost connection', new mongo.MongoNetworkError(SECRET), 'make the replica set of MONGODB_URI reachable'],
    ['a record that came late', bulk(11000), 'run the command again'],
    ['a full disk at an insert', bulk(14031), 'free some space'],
    [
      'a full disk at an index',
      new mongo.MongoServerError({ message: SECRET, code: 14031 }),
      'free some space',
    ],
  ])('is explained in one sentence: %s', (_, error, remedy) => {
    const explained = explainCopyFailure(error) as Error;
    expect(explained).toBeInstanceOf(StartupError);
    expect(explained.message).toMatch(/^[^\n]+\.$/);
    expect(explained.message).toContain(remedy);
    expect(explained.message).not.toContain(SECRET);
  });

  it('leaves another error as it is', () => {
    const error = new TypeError('a bug');
    expect(explainCopyFailure(error)).toBe(error);
  });
});
