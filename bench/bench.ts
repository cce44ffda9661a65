import fs from 'node:fs';
import os from 'node:os';
import { findBrowser } from '../test/console/find-browser.js';
import type { Engine } from '../test/engines.js';
import { SOME_ENGINES } from '../test/prove/prove.js';
import { consolePages } from './rows/console.js';
import { list } from './rows/list.js';
import { machines } from './rows/machines.js';
import { type Row, tableOf } from './rows/row.js';
import { start } from './rows/start.js';
import { validate, validateWithLimits } from './rows/validate.js';
import { webhooks } from './rows/webhooks.js';
import { activate, createProject } from './rows/writes.js';

/** The measurements, by their --only name. */
const MEASURED: readonly [string, readonly Engine[], (engine: Engine) => Promise<Row[]>][] = [
  ['validate', SOME_ENGINES, validate],
  ['limits', ['SQLite'], validateWithLimits],
  ['activate', SOME_ENGINES, activate],
  ['machines', SOME_ENGINES, machines],
  ['createProject', SOME_ENGINES, createProject],
  ['list', SOME_ENGINES, list],
  ['webhooks', SOME_ENGINES, webhooks],
  ['start', ['SQLite'], start],
  ['console', findBrowser(process.env) ? ['SQLite'] : [], consolePages],
];

const { BENCH_DOCUMENT } = process.env;
const rows: Row[] = [];
let failed = 0;

for (const [name, engines, measure] of MEASURED) {
  for (const engine of engines) {
    it(`${name} on ${engine}`, async () => {
      failed += 1;
      rows.push(...(await measure(engine)));
      failed -= 1;
    });
  }
}

afterAll(() => {
  const table = tableOf(rows);
  process.stdout.write(`\n${table}\n`);
  if (BENCH_DOCUMENT === undefined || failed > 0) return;
  const machine = `${os.cpus().length} x ${os.cpus()[0]?.model}, Node ${process.version}`;
  const date = new Date().toISOString().slice(0, 10);
  const heading = `## Figures\n\nMeasured on ${date}: ${machine}, load ${os.loadavg()[2]!.toFixed(1)}.`;
  const text = fs.readFileSync(BENCH_DOCUMENT, 'utf8');
  const figures = `${heading}\n\n${table}\n\n`;
  fs.writeFileSync(
    BENCH_DOCUMENT,
    text.replace(/^## Figures\n[^]*?(?=^## )/m, () => figures),
  );
});
