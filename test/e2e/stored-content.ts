import fs from 'node:fs';

/** Everything stored on SQLite: the bytes of each file of a data folder. */
export const contentOf = (dataDir: string): string =>
  fs
    .readdirSync(dataDir)
    .map((name) => fs.readFileSync(`${dataDir}/${name}`, 'latin1'))
    .join('\n');
