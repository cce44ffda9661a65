// @ts-check
import { parentPort, workerData } from 'node:worker_threads';
import { DatabaseSync } from '@photostructure/sqlite';

/** Checks the clock every 256 rows, when none of these bits of the row number are set. */
const ROWS_MASK = 255;

/** Maximum wait for another connection, in milliseconds; in WAL mode, needed only during recovery. */
const BUSY_TIMEOUT = 1_000;

const port = /** @type {import('node:worker_threads').MessagePort} */ (parentPort);
const database = new DatabaseSync(workerData, {
  readOnly: true,
  returnArrays: true,
  timeout: BUSY_TIMEOUT,
});
/** @type {Map<string, import('@photostructure/sqlite').StatementSyncInstance>} */
const statements = new Map();

let endsAt = 0;
let rows = 0;
let isLate = false;
database.function('in_time', { directOnly: true }, () => {
  isLate = (rows++ & ROWS_MASK) === 0 && performance.now() >= endsAt;
  if (isLate) throw new Error('deadline');
  return 1;
});

/** @param {string} sql from a bounded set of texts */
function prepare(sql) {
  const statement = statements.get(sql) ?? database.prepare(sql);
  statements.set(sql, statement);
  return statement;
}

/** @param {import('./readers.js').ReadRequest | undefined} request undefined ends the worker */
function respond(request) {
  if (!request) {
    database.close();
    port.close();
    return;
  }
  const { sql, parameters, milliseconds } = request;
  endsAt = performance.now() + milliseconds;
  rows = 0;
  isLate = false;
  try {
    port.postMessage({ rows: prepare(sql).all(...parameters) });
  } catch (error) {
    port.postMessage({ error, isLate });
  }
}

port.on('message', respond);
