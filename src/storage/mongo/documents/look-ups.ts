import DataLoader from 'dataloader';
import { beforeDeadline } from '../../deadline.js';
import type { Stored } from '../../collection.js';
import { keyFields } from '../../key-fields.js';
import type { StatementOptions } from '../connection/statement-time.js';
import { type Priority, priorityOfRequest, type Statements } from '../connection/statements.js';
import type { Documents } from '../documents/documents.js';

/** Most records that one statement looks up. */
const MAX_LOOK_UPS = 100;
/** Most statements of a kind at the same time: what is looked up meanwhile shares the next one, as each costs much more than a record. */
const MAX_STATEMENTS = 2;

/** The values of a key, in the order of its fields, as documents have them. */
type Values = readonly unknown[];

interface LookUp {
  readonly values: Values;
  /** The deadline of its request, in milliseconds of performance.now(). */
  readonly endsAt: number;
}

/**
 * Finds records by `_id` or a unique set. The look-ups of one tick, and those that wait while statements are under way, are one
 * statement for each collection and set: it reads the primary after all of their requests have arrived, and ends at the latest of their
 * deadlines.
 */
export class LookUps {
  private readonly loaders = new Map<string, DataLoader<LookUp, Stored | null>>();

  constructor(private readonly statements: Statements) {}

  /** @throws Error where no such fields name one record */
  async find(documents: Documents, key: object): Promise<Stored | null> {
    const { codec } = documents;
    const fields = keyFields(codec.collection, key);
    const values = fields.map((field) => codec.encodeValue(field, Reflect.get(key, field)));
    if (values.includes(null)) return null;
    const priority = priorityOfRequest();
    const name = `${codec.collection.name} ${fields.join()} ${priority}`;
    let loader = this.loaders.get(name);
    if (!loader) {
      loader = this.loaderOf(documents, fields, priority);
      this.loaders.set(name, loader);
    }
    const endsAt = this.statements.endOfWork();
    return beforeDeadline(endsAt, loader.load({ values, endsAt }));
  }

  private loaderOf(documents: Documents, fields: readonly string[], priority: Priority) {
    let statements = 0;
    const waiting: (() => void)[] = [];
    return new DataLoader<LookUp, Stored | null>(
      async (lookUps) => {
        statements += 1;
        try {
          return await this.read(documents, fields, lookUps, priority);
        } finally {
          statements -= 1;
          waiting.shift()?.();
        }
      },
      {
        cache: false,
        batchScheduleFn: (send) =>
          setImmediate(() => (statements < MAX_STATEMENTS ? send() : waiting.push(send))),
        maxBatchSize: MAX_LOOK_UPS,
      },
    );
  }

  private async read(
    { driver, codec }: Documents,
    fields: readonly string[],
    lookUps: readonly LookUp[],
    priority: Priority,
  ): Promise<(Stored | null)[]> {
    const [field] = fields as [string];
    const keys = lookUps.map(({ values }) => values);
    const endsAt = Math.max(...lookUps.map((lookUp) => lookUp.endsAt));
    const filter =
      fields.length === 1
        ? { [field]: { $in: keys.map(([value]) => value) } }
        : { $or: keys.map((values) => equal(fields, values)) };
    const find = (options: StatementOptions) => driver.find(filter, options).toArray();
    const documents = await this.statements.read(find, { priority, endsAt });
    const found = new Map(
      documents.map((document) => {
        const values = fields.map((name) => document[name] as unknown);
        return [textOf(values), codec.decode(document)] as const;
      }),
    );
    return keys.map((values) => found.get(textOf(values)) ?? null);
  }
}

const equal = (fields: readonly string[], values: Values) =>
  Object.fromEntries(fields.map((field, index) => [field, { $eq: values[index] }]));

/** A text that is the same for the same values: of ids, dates and numbers, too. */
const textOf = (values: Values): string => JSON.stringify(values);
