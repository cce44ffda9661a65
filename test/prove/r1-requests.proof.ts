import { FORM, prove, SEED, SOME_ENGINES, times } from './prove.js';
import { installSchemathesis, runSchemathesis } from './requests/schemathesis.js';
import { withService } from './with-service.js';

const REQUESTS = { SQLite: times({ short: 1_000, long: 80_000 }), MongoDB: 20_000 };
/** Requests for each operation and phase of a run: few enough that it ends before the access token expires. */
const EXAMPLES = times({ short: 1, long: 50 });
const PHASES = 'examples,coverage,fuzzing,stateful';
/** In the short form, few of the requests that are rejected for their credentials. */
const WITHOUT_CREDENTIALS = FORM === 'short' ? 'examples' : PHASES;

describe.each(SOME_ENGINES)('%s', (engine) => {
  prove('R1', engine, async () => {
    const program = installSchemathesis();
    const failures: string[] = [];
    const statuses = new Map<number, number>();
    let requests = 0;
    let runs = 0;
    let clients = 0;
    while (requests < REQUESTS[engine]) {
      await withService(engine, {}, async (service) => {
        const { token } = await service.register();
        // The second of each pair is without credentials.
        for (const credentials of [token, undefined]) {
          const phases = credentials === undefined ? WITHOUT_CREDENTIALS : PHASES;
          const run = { url: service.url, seed: SEED + runs, examples: EXAMPLES, phases };
          const report = await runSchemathesis(program, { ...run, token: credentials });
          if (report) failures.push(report);
          runs += 1;
        }
        const responses = responsesIn(service.stdout);
        requests += responses.length;
        for (const { status, route } of responses) {
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
    return { figures: { ...figures, failures: failures.length }, failures };
  });
});

/** The requests in the log, each with its response. */
function responsesIn(log: string): { status: number; route: string }[] {
  return log
    .split('\n')
    .filter((line) => line.includes('"msg":"request"'))
    .map((line) => JSON.parse(line) as { status: number; route: string });
}
