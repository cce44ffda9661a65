// Builds all SDK packages, as committed, into a new folder: npm run release-artifacts -- FOLDER
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { BUILDERS } from './release/builders.mjs';
import { run, stage } from './release/stage.mjs';

const folder = path.resolve(process.argv[2] ?? 'release');
fs.mkdirSync(folder);
const staged = stage();
try {
  const { version } = JSON.parse(
    fs.readFileSync(path.join(staged, 'sdk/node/package.json'), 'utf8'),
  );
  for (const [name, build] of Object.entries(BUILDERS)) {
    console.log(`== ${name}`);
    build({ staged, folder, version });
  }
} finally {
  fs.rmSync(staged, { recursive: true });
}
const names = fs.readdirSync(folder).sort();
const sums = names.map((name) => {
  const hash = createHash('sha256').update(fs.readFileSync(path.join(folder, name)));
  return `${hash.digest('hex')}  ${name}\n`;
});
fs.writeFileSync(path.join(folder, 'SHA256SUMS'), sums.join(''));
run('ls', ['-l', folder]);
