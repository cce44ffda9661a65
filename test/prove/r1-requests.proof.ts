import { execFile } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { installPython } from '../sdk/python.js';
import { FORM, prove, SEED, SOME_ENGINES, times } from './prove.js';
import { withService } from './processes.js';

const PACKAGE = 'schemathesis==4.32.5';

const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
];

const REQUESTS = { SQLite: times({ short: 1, long: 80_000 }), MongoDB: 20_000 };
/** Requests per operation and phase of a run, few enough to finish before the access token expires. */
const EXAMPLES = times({ short: 2, long: 50 });
const PHASES = FORM === 'short' ? 'examples,fuzzing' : 'examples,coverage,fuzzing,stateful';

prove('R1', SOME_ENGINES, async (engine) => {
  const python = installPython(PACKAGE, []);
  const failures: string[] = [];
  const statuses = new Map<number, number>();
  let [requests, runs, clients] = [0, 0, 0];
  while (requests < REQUESTS[engine]) {
    await withService(engine, {}, async (service) => {
      const { token } = await service.register();
      // In the short form not without credentials: an e2e test sends each request without.
      for (const credentials of FORM === 'short' ? [token] : [token, undefined]) {
        const seed = SEED + runs;
        const report = await runSchemathesis(python, service.url, seed, credentials);
        if (report) failures.push(report);
        runs += 1;
      }
      for (const { status, route } of responsesIn(service.stdout)) {
        requests += 1;
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 201 && route === '/clients') clients += 1;
        if (status >= 500) failures.push(`${status} to ${route}`);
      }
    });
  }
  // Otherwise all other checks would pass even if every token was rejected.
  if (clients === 0) failures.push('no client was created');
  const byStatus = [...statuses].sort(([a], [b]) => a - b).map((pair) => pair.join(': '));
  const figures = { requests, runs, 'clients created': clients, statuses: byStatus.join(' ') };
  return { figures, failures };
});

/** The requests in the log, each with its response. */
function responsesIn(log: string): { status: number; route: string }[] {
  return log
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line) as { status: number; route: string });
}

/** Sends requests derived from openapi.json, and returns a report if a response does not conform. */
async function runSchemathesis(
  python: string,
  url: string,
  seed: number,
  token: string | undefined,
): Promise<string | undefined> {
  // It stores failures in its working folder, and would start with them next time.
  const cwd = fs.mkdtempSync(path.join(os.tmpdir(), 'schemathesis-'));
  const options = [
    ...['-m', 'schemathesis.cli', 'run', path.resolve('openapi.json')],
    ...['--url', url, '--seed', String(seed)],
    ...['--max-examples', String(EXAMPLES), '--checks', CHECKS.join(), '--phases', PHASES],
    ...['--warnings', 'off', '--no-color', '--continue-on-failure', '--request-timeout', '60'],
    ...['--generation-database', 'none'],
    // The console's session is for its own pages only.
    ...['--header', `Origin: ${url}`],
    ...(token ? ['--header', `Authorization: Bearer ${token}`] : []),
  ];
  return promisify(execFile)(python, options, { cwd, maxBuffer: 1 << 28 })
    .then(
      () => undefined,
      ({ stdout, stderr }) => `${stdout}${stderr}`.slice(-8_000),
    )
    .finally(() => fs.rmSync(cwd, { recursive: true }));
}
