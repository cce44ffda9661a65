import DataLoader from 'dataloader';
import type { mongo } from 'mongoose';
import { keyFields, type Stored } from '../collection.js';
import { beforeDeadline } from '../../shared/request-context.js';
import type { Documents } from './documents.js';
import { isLicenseCheck, type StatementOptions, type Statements } from './statements.js';

/** Most records that one statement looks up. */
const MAX_LOOK_UPS = 100;
/** Most statements of license checks, and of other work, at the same time. What is looked up meanwhile shares the next one. */
const MAX_STATEMENTS = 2;

/** The values of a key, in the order of its fields, as documents have them. */
type Values = readonly unknown[];

/** By which fields of which documents a record is found. */
interface Kind {
  readonly name: string;
  readonly documents: Documents;
  readonly fields: readonly string[];
}

interface LookUp extends Kind {
  readonly values: Values;
  /** The deadline of its request, in milliseconds of performance.now(). */
  readonly endsAt: number;
}

/** Look-ups of a kind, and what they have found, by the {@link textOf | text} of their values. */
interface Group extends Kind {
  readonly keys: Values[];
  readonly found: Map<string, Stored>;
}

/** Says of a document of several groups to which one it belongs. */
const GROUP = '_group';

/**
 * Finds records by `_id` or a unique set. The look-ups of one tick, and those that wait while statements are under way, are one
 * statement, whatever the collections: it reads the primary after all of their requests have arrived, and ends at the latest of their
 * deadlines.
 */
export class LookUps {
  private readonly licenseChecks = this.loaderOf(true);
  private readonly others = this.loaderOf(false);

  constructor(private readonly statements: Statements) {}

  /** @throws Error where no such fields name one record */
  async find(documents: Documents, key: object): Promise<Stored | null> {
    const { collection } = documents;
    const fields = keyFields(collection, key);
    const values = fields.map((field) => documents.encodeValue(field, Reflect.get(key, field)));
    if (values.includes(null)) return null;
    const name = `${collection.name} ${fields.join()}`;
    const endsAt = this.statements.endOfWork();
    const loader = isLicenseCheck() ? this.licenseChecks : this.others;
    return beforeDeadline(endsAt, loader.load({ name, documents, fields, values, endsAt }));
  }

  private loaderOf(isUrgent: boolean) {
    let statements = 0;
    const waiting: (() => void)[] = [];
    const read = async (lookUps: readonly LookUp[]) => {
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
    const options = { cache: false, batchScheduleFn: schedule, maxBatchSize: MAX_LOOK_UPS };
    return new DataLoader<LookUp, Stored | null>(read, options);
  }

  private async read(lookUps: readonly LookUp[], isUrgent: boolean): Promise<(Stored | null)[]> {
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

/** A text that is the same for the same values: of ids, dates and numbers, too. */
const textOf = (values: Values): string => JSON.stringify(values);
