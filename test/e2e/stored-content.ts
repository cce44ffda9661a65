import fs from 'node:fs';
import { EJSON } from 'bson';
import { getConnectionToken } from '@nestjs/mongoose';
import type { Connection } from 'mongoose';
import { Config } from '../../src/shared/config/config.js';
import type { TestApp } from '../app.js';
import type { Engine } from '../engines.js';

/** Everything that is stored: the bytes of each file, or the documents of each collection. */
export async function contentOf(app: TestApp, engine: Engine): Promise<string> {
  if (engine === 'SQLite') {
    const { dataDir } = app.nest.get(Config);
    const files = fs.readdirSync(dataDir).map((name) => fs.readFileSync(`${dataDir}/${name}`));
    return files.map((file) => file.toString('latin1')).join('\n');
  }
  const { db } = app.nest.get<Connection>(getConnectionToken());
  const collections = await db!.collections();
  const documents = await Promise.all(collections.map((one) => one.find().toArray()));
  return EJSON.stringify(documents);
}
