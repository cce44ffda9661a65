// Measures the service against its limits: npm run bench, or in short: npm run bench -- --short
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { chart } from './lib/chart.mjs';
import { isMet, table, warnings } from './lib/table.mjs';
import { FULL, GROUPS, SHORT } from './groups.mjs';

const RESULTS = new URL('results.json', import.meta.url);
const CHART = new URL('../docs/performance.svg', import.meta.url);

const short = process.argv.includes('--short');
const only = process.argv
  .find((argument) => argument.startsWith('--only='))
  ?.slice(7)
  .split(',');
/** Left out of the short form unless they are named. */
const LONG = ['scale', 'creations', 'cluster', 'growth', 'profile'];
const chosen = only ?? Object.keys(GROUPS).filter((name) => !short || !LONG.includes(name));
const unknown = chosen.filter((name) => !(name in GROUPS));
if (unknown.length > 0) {
  process.stderr.write(
    `Unknown: ${unknown.join(', ')}. --only takes ${Object.keys(GROUPS).join(', ')}.\n`,
  );
  process.exit(1);
}
const extent = short ? SHORT : FULL;

const work = fs.mkdtempSync(path.join(os.tmpdir(), 'license-bench-'));
// In every case: the large store takes more than a gigabyte.
process.once('exit', () => fs.rmSync(work, { recursive: true, force: true }));

const rows = [];
let profile = {};
for (const [name, measure] of Object.entries(GROUPS)) {
  if (!chosen.includes(name)) continue;
  const began = performance.now();
  const folder = path.join(work, name);
  fs.mkdirSync(folder);
  const measured = await measure({ ...extent, folder });
  if (Array.isArray(measured)) rows.push(...measured);
  else ({ profile } = measured);
  fs.rmSync(folder, { recursive: true });
  process.stderr.write(`${name}: ${Math.round((performance.now() - began) / 1000)} s\n`);
}

process.stdout.write(`\n${table(rows, profile)}\n`);
if (short) {
  const recorded = fs.existsSync(RESULTS) ? JSON.parse(fs.readFileSync(RESULTS, 'utf8')).rows : [];
  for (const warning of warnings(rows, recorded)) process.stdout.write(`WARNING: ${warning}\n`);
} else if (!only) {
  const machine = `${os.cpus().length} x ${os.cpus()[0]?.model}, ${os.type()} ${os.arch()}`;
  const results = {
    ...{ date: new Date().toISOString(), machine, node: process.version },
    load: os.loadavg().map((load) => Math.round(load * 10) / 10),
    ...{ rows, profile },
  };
  fs.writeFileSync(RESULTS, `${JSON.stringify(results, null, 2)}\n`);
  fs.writeFileSync(CHART, chart(rows));
}
process.stdout.write(`${rows.filter(isMet).length} of ${rows.length} reached\n`);
