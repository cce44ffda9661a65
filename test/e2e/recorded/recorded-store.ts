import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { EJSON } from 'bson';
import { mongo } from 'mongoose';
import { type Engine, newStore } from '../../engines.js';

const FOLDER = path.resolve('test/recorded-store');

/** A request to 0.5, and its response. */
export interface Entry {
  readonly as: string | null;
  readonly method: string;
  readonly path: string;
  readonly headers?: Record<string, string>;
  readonly body?: object;
  readonly status: number;
  readonly response: unknown;
  readonly leftOut?: readonly string[];
}

interface RecordedFile {
  readonly now: string;
  readonly environment: NodeJS.ProcessEnv;
  /** By the account's e-mail address. */
  readonly passwords: Readonly<Record<string, string>>;
  /** Fields that differ each time. */
  readonly leftOut: readonly string[];
  readonly entries: readonly Entry[];
  readonly values: Readonly<Record<Engine, Readonly<Record<string, string>>>>;
  readonly records: Readonly<Record<string, object>>;
}

/** Reads the recording as test/recorded-store/README.md describes it. */
export function readRecording(engine: Engine) {
  const file = JSON.parse(read('0.5.responses.json')) as RecordedFile;
  const { records, entries, values, ...rest } = file;
  const named = JSON.parse(
    JSON.stringify({ records, entries }).replace(
      /\{\{(\w+)\}\}/g,
      (_, name: string) => values[engine][name]!,
    ),
  ) as Pick<RecordedFile, 'records' | 'entries'>;
  const withRecords = (_key: string, value: unknown): unknown => {
    const { $record, $records, ...more } = Object(value) as { $record?: string; $records?: string };
    if ($records !== undefined) return $records.split(' ').map((name) => named.records[name]);
    return $record === undefined ? value : { ...named.records[$record], ...more };
  };
  const whole = JSON.parse(JSON.stringify(named.entries), withRecords) as Entry[];
  return { ...rest, now: new Date(file.now), entries: whole };
}

/** The variables of a new copy of the recorded store. */
export async function copyRecordedStore(engine: Engine): Promise<NodeJS.ProcessEnv> {
  return engine === 'SQLite' ? copySqlite() : fillMongo(newStore(engine));
}

function copySqlite(): NodeJS.ProcessEnv {
  const DATA_DIR = fs.mkdtempSync(path.join(os.tmpdir(), 'recorded-store-'));
  const file = path.join(DATA_DIR, 'licenses.sqlite');
  fs.copyFileSync(path.join(FOLDER, '0.5.sqlite'), file);
  fs.chmodSync(file, 0o600);
  return { DATA_DIR };
}

interface RecordedCollection {
  readonly documents: mongo.Document[];
  readonly indexes: (mongo.IndexDescription & { name: string })[];
}

/** The collections of the database, by their names. */
export const readRecordedDatabase = () =>
  EJSON.parse(read('0.5.mongodb.json')) as Record<string, RecordedCollection>;

async function fillMongo(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const client = await new mongo.MongoClient(env.MONGODB_URI!).connect();
  for (const [name, { documents, indexes }] of Object.entries(readRecordedDatabase())) {
    const collection = await client.db().createCollection(name);
    if (documents.length > 0) await collection.insertMany(documents);
    const declared = indexes.filter((index) => index.name !== '_id_');
    if (declared.length > 0) await collection.createIndexes(declared);
  }
  await client.close();
  return env;
}

const read = (name: string) => fs.readFileSync(path.join(FOLDER, name), 'utf8');
