import { mongo } from 'mongoose';
import { isOutage } from './driver-errors.js';

const serverError = (code: number, errorLabels: string[] = []) =>
  new mongo.MongoServerError({ message: 'rejected', code, errorLabels });

describe('isOutage', () => {
  it.each<[string, unknown]>([
    ['a lost connection', new mongo.MongoNetworkError('connection closed')],
    ['a connection that times out', new mongo.MongoNetworkTimeoutError('timed out')],
    ['a client that was closed', new mongo.MongoNotConnectedError('not connected')],
    ['a write that the server calls retryable', serverError(262, ['RetryableWriteError'])],
    ['a transaction that was in conflict', serverError(112, ['TransientTransactionError'])],
    ['an unknown outcome', serverError(50, ['UnknownTransactionCommitResult'])],
    [
      'a write that no majority has acknowledged',
      new mongo.MongoWriteConcernError({
        ok: 1,
        writeConcernError: { code: 64, errmsg: 'waited' },
      }),
    ],
    ['a read from a primary that has stepped down', serverError(10107)],
    ['a read from a server that is shutting down', serverError(11600)],
    ['a statement that was killed', serverError(11601)],
    ['a statement that the server ended for taking too long', serverError(50)],
  ])('is %s', (_, error) => {
    expect(isOutage(error)).toBe(true);
  });

  it.each<[string, unknown]>([
    ['a duplicate key', serverError(11000)],
    ['a server that rejects the user', serverError(13)],
    ['a mistake of this program', new TypeError('undefined is not a function')],
    ['a wrong use of the driver', new mongo.MongoInvalidArgumentError('no')],
    ['nothing', undefined],
  ])('is not %s', (_, error) => {
    expect(isOutage(error)).toBe(false);
  });
});
