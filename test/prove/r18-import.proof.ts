import fs from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { EVENTS } from '../../src/events/event.js';
import { LICENSES } from '../../src/licenses/license.js';
import { contradictionsIn } from '../contradictions.js';
import { NO_LIMITS } from '../no-limits.js';
import { Random } from '../random.js';
import { withStore } from '../with-store.js';
import { withOperator } from './processes.js';
import { prove, SEED, SOME_ENGINES, times } from './prove.js';

const ROWS = 400;
const CLIENTS = 100;
const KILLS = times({ short: 2, long: 100 });
const ACCOUNT = 'ada@studio.example';

const rowOf = (index: number) => ({
  ...{ ref: `${index}`, key: `KEY-${String(index).padStart(20, '0')}`, product: `p${index % 2}` },
  client: { email: `u${index % CLIENTS}@client.example` },
  ...{
    expiresAt: null,
    services: ['Hosting'],
    machines: [{ fingerprint: `machine-of-${index}-0123` }],
  },
});

/** Importing a file twice, half of it, or shuffled, and being killed between and inside batches, ends in the same state. */
prove('R18', SOME_ENGINES, (engine) =>
  withOperator(engine, { ...NO_LIMITS, LOG_LEVEL: 'silent' }, async (operator, store) => {
    const random = new Random(SEED);
    const lines = Array.from({ length: ROWS }, (_one, index) => JSON.stringify(rowOf(index)));
    const file = operator.path('rows.ndjson');
    const half = operator.path('half.ndjson');
    const shuffled = operator.path('shuffled.ndjson');
    fs.writeFileSync(file, lines.join('\n'));
    fs.writeFileSync(half, lines.slice(ROWS / 2).join('\n'));
    fs.writeFileSync(shuffled, lines.toSorted(() => random.next() - 0.5).join('\n'));
    await operator.user('create', ACCOUNT);
    const start = (name: string) =>
      operator.command(['import', name, '--from', 'canonical', '--account', ACCOUNT]);
    const reports = () => fs.readdirSync(operator.folder).filter((name) => name.includes('report'));
    const reported = () =>
      reports().reduce((size, name) => size + fs.statSync(operator.path(name)).size, 0);
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const before = reported();
      const command = start(random.of([file, half, shuffled]));
      const isInFirstBatch = () =>
        kill % 2 === 0 ? reports().length < kill : reported() === before;
      while (isInFirstBatch() && !command.hasEnded) await setTimeout(5);
      await setTimeout(random.between(0, 200));
      await command.end('SIGKILL');
    }
    const killedAfter = reported();
    const endings = [await start(shuffled).ended, await start(file).ended, await start(half).ended];
    const failures = await withStore(store, async (open) => [
      ...(await contradictionsIn(open)),
      ...endings.filter(({ code }) => code !== 0).map(({ stderr }) => stderr),
      ...[`${await open.count(LICENSES, {})} licenses`].filter(
        (text) => text !== `${ROWS} licenses`,
      ),
      ...[`${await open.count(EVENTS, {})} events`].filter((text) => text !== `${ROWS} events`),
    ]);
    const same = endings[1]!.stdout.includes(`${ROWS} same`) ? [] : [endings[1]!.stdout];
    return {
      figures: { kills: KILLS, 'bytes reported before': killedAfter },
      failures: [...failures, ...same],
    };
  }),
);
