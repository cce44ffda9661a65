import DataLoader from 'dataloader';
import type { mongo } from 'mongoose';
import { keyFields, type Stored } from '../collection.js';
import { withDeadline } from '../../shared/request-context.js';
import type { Documents } from './documents.js';
import { isLicenseCheck, type StatementOptions, type Statements } from './statements.js';

/** Maximum number of records per statement. */
const MAX_LOOKUPS = 100;
/**
 * Maximum number of concurrent statements, for license checks and for other work. Lookups that arrive
 * meanwhile share the next statement.
 */
const MAX_STATEMENTS = 2;

/** The document values of a key, in the order of its fields. */
type Values = readonly unknown[];

/** The fields and documents that identify a record. */
interface Kind {
  readonly name: string;
  readonly documents: Documents;
  readonly fields: readonly string[];
}

interface Lookup extends Kind {
  readonly values: Values;
  /** The deadline of its request, in milliseconds of performance.now(). */
  readonly endsAt: number;
}

/** Lookups of one kind and their results, keyed by the {@link textOf | text} of their values. */
interface Group extends Kind {
  readonly keys: Values[];
  readonly found: Map<string, Stored>;
}

/** Marks a document with the group it belongs to. */
const GROUP = '_group';

/**
 * Finds records by `_id` or a unique set. Lookups from one tick, and lookups that wait for running
 * statements, share one statement across collections. It reads from the primary after all of their requests
 * have arrived, until the latest of their deadlines.
 */
export class Lookups {
  private readonly licenseChecks = this.loaderOf(true);
  private readonly others = this.loaderOf(false);

  constructor(private readonly statements: Statements) {}

  /** @throws Error if the key does not identify one record */
  async find(documents: Documents, key: object): Promise<Stored | null> {
    const { collection } = documents;
    const fields = keyFields(collection, key);
    const values = fields.map((field) => documents.encodeValue(field, Reflect.get(key, field)));
    if (values.includes(null)) return null;
    const name = `${collection.name} ${fields.join()}`;
    const endsAt = this.statements.currentDeadline();
    const loader = isLicenseCheck() ? this.licenseChecks : this.others;
    return withDeadline(endsAt, loader.load({ name, documents, fields, values, endsAt }));
  }

  private loaderOf(isUrgent: boolean) {
    let statements = 0;
    const waiting: (() => void)[] = [];
    const read = async (lookUps: readonly Lookup[]) => {
      statements += 1;
      try {
        return await this.read(lookUps, isUrgent);
      } finally {
        statements -= 1;
        waiting.shift()?.();
      }
    };
    const schedule = (send: () => void) =>
      setImmediate(() => (statements < MAX_STATEMENTS ? send() : waiting.push(send)));
    const options = { cache: false, batchScheduleFn: schedule, maxBatchSize: MAX_LOOKUPS };
    return new DataLoader<Lookup, Stored | null>(read, options);
  }

  private async read(lookUps: readonly Lookup[], isUrgent: boolean): Promise<(Stored | null)[]> {
    const groups = new Map<string, Group>();
    for (const { name, documents, fields, values } of lookUps) {
      const group = groups.get(name);
      if (group) group.keys.push(values);
      else groups.set(name, { name, documents, fields, keys: [values], found: new Map() });
    }
    const endsAt = Math.max(...lookUps.map((lookUp) => lookUp.endsAt));
    const all = [...groups.values()];
    const read = (options: StatementOptions) => statementOf(all, options);
    for (const document of await this.statements.run(read, isUrgent, endsAt)) {
      const { documents, fields, found } = all[(document[GROUP] as number | undefined) ?? 0]!;
      const values = fields.map((name) => document[name] as unknown);
      found.set(textOf(values), documents.decode(document));
    }
    return lookUps.map(({ name, values }) => groups.get(name)!.found.get(textOf(values)) ?? null);
  }
}

function statementOf(
  [first, ...others]: readonly Group[],
  options: StatementOptions,
): Promise<mongo.Document[]> {
  const { driver } = first!.documents;
  if (others.length === 0) return driver.find(filterOf(first!), options).toArray();
  const unions = others.map((group, index) => ({
    $unionWith: {
      coll: group.documents.collection.name,
      pipeline: [{ $match: filterOf(group) }, { $set: { [GROUP]: index + 1 } }],
    },
  }));
  return driver.aggregate([{ $match: filterOf(first!) }, ...unions], options).toArray();
}

function filterOf({ fields, keys }: Group): mongo.Document {
  const [field] = fields as [string];
  return fields.length === 1
    ? { [field]: { $in: keys.map(([value]) => value) } }
    : { $or: keys.map((values) => equal(fields, values)) };
}

const equal = (fields: readonly string[], values: Values) =>
  Object.fromEntries(fields.map((field, index) => [field, { $eq: values[index] }]));

/** Serializes values, including ids, dates and numbers, so that equal values have equal texts. */
const textOf = (values: Values): string => JSON.stringify(values);
