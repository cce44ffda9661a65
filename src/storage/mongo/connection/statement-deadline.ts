import { AsyncLocalStorage } from 'node:async_hooks';
import type {
  Aggregate,
  ClientSession,
  Model,
  MongooseQueryMiddleware,
  Query,
  Schema,
} from 'mongoose';
import { storeUnavailable } from '../../store-unavailable.js';

/** The server ends a statement this many milliseconds before the driver would: so its connection is kept. */
const SERVER_MARGIN = 100;

/** Options by which a statement ends at its deadline. */
export interface StatementOptions {
  /** Ends it on the server. */
  readonly maxTimeMS: number;
  /** Ends waiting for it, and trying it again, in the driver, which closes its connection then. */
  readonly signal: AbortSignal;
}

interface CurrentWork {
  readonly endsAt: number;
  readonly signal: AbortSignal;
}

const currentWork = new AsyncLocalStorage<CurrentWork>();

/**
 * Runs statements that end by a deadline.
 *
 * @param endsAt in milliseconds of performance.now()
 * @throws DomainError STORE_UNAVAILABLE at the deadline, however long the work goes on
 */
export async function runUntil<T>(
  endsAt: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const remaining = endsAt - performance.now();
  if (remaining <= 0) throw deadlineError();
  const abort = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_, reject) => {
    timer = setTimeout(() => {
      const error = deadlineError();
      abort.abort(error);
      reject(error);
    }, remaining);
  });
  try {
    const { signal } = abort;
    return await Promise.race([currentWork.run({ endsAt, signal }, () => work(signal)), expiry]);
  } finally {
    clearTimeout(timer);
  }
}

/** The options of a statement of the current work; none before the service has started. */
export function statementOptions(): StatementOptions | undefined {
  const work = currentWork.getStore();
  if (!work) return undefined;
  const remaining = work.endsAt - performance.now() - SERVER_MARGIN;
  // 0 would be no limit.
  return { maxTimeMS: Math.max(1, Math.floor(remaining)), signal: work.signal };
}

const QUERIES: MongooseQueryMiddleware[] = [
  'countDocuments',
  'deleteMany',
  'deleteOne',
  'find',
  'findOne',
  'findOneAndDelete',
  'findOneAndUpdate',
  'replaceOne',
  'updateMany',
  'updateOne',
];

/** Gives every query and aggregation of a schema the options of its statement. */
export function boundStatements(schema: Schema): void {
  schema.pre(QUERIES, { query: true, document: false }, function (this: Query<unknown, unknown>) {
    this.setOptions({ ...statementOptions() });
  });
  schema.pre('aggregate', function (this: Aggregate<unknown>) {
    this.option({ ...statementOptions() });
  });
}

/**
 * Inserts a record through the driver's own collection: Mongoose's inserts take no options of a statement, and
 * making and validating a document costs a tenth of an activation.
 *
 * @param session the transaction that it is a part of
 */
export async function insertRecord<Record extends object>(
  model: Model<Record>,
  record: NoInfer<Record>,
  session?: ClientSession,
): Promise<void> {
  await model.collection.insertOne(record, { ...(session && { session }), ...statementOptions() });
}

const deadlineError = () => storeUnavailable('deadline');
