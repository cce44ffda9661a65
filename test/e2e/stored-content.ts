import fs from 'node:fs';
import { Config } from '../../src/shared/config/config.js';
import type { TestApp } from '../app.js';

/** Everything that is stored on SQLite: the bytes of each file. */
export function contentOf(app: TestApp): string {
  const { dataDir } = app.nest.get(Config);
  const files = fs.readdirSync(dataDir).map((name) => fs.readFileSync(`${dataDir}/${name}`));
  return files.map((file) => file.toString('latin1')).join('\n');
}
