import { contradictionsIn } from '../contradictions.js';
import { SECRETS } from '../engines.js';
import { freePort } from '../free-port.js';
import { NO_LIMITS } from '../no-limits.js';
import { Random } from '../random.js';
import { Operator } from '../smoke/operator.js';
import { withStore } from '../with-store.js';
import { Load, type Target } from './killed/load.js';
import { type Outcome, prove, SEED, times } from './prove.js';
import { CLOCK_AHEAD, noneLost } from './webhooks/none-lost.js';

const KILLS = times({ short: 1, long: 500 });
/** Kills while webhook messages are sent. */
const WEBHOOK_KILLS = times({ short: 2, long: 50 });
/** Kills per store, after which all of its acknowledged writes are compared again and a new store starts. */
const KILLS_A_STORE = 25;

const ENV = { ...SECRETS, ...NO_LIMITS, LOG_LEVEL: 'silent', WEBHOOK_NETWORKS: '127.0.0.1' };

prove('R2', ['SQLite'], async () => {
  const random = new Random(SEED);
  const seen = { kills: 0, acknowledged: 0, 'sent again': 0 };
  const failures: string[] = [];
  while (seen.kills < KILLS) {
    await withVictim(async (victim, kill) => {
      const loads: Load[] = [];
      while (loads.length < KILLS_A_STORE && seen.kills < KILLS) {
        seen.kills += 1;
        const load = await Load.during(`kill ${seen.kills}`, victim, random, kill);
        loads.push(load);
        seen.acknowledged += load.acknowledged;
        seen['sent again'] += load.service.repeated;
        failures.push(...load.failures);
      }
      for (const load of loads) failures.push(...(await load.compare()));
    });
  }
  return { figures: { ...seen, 'lost or half done': failures.length }, failures };
});

prove('R13', ['SQLite'], () =>
  withVictim((victim, kill): Promise<Outcome> => {
    const kills = Array.from({ length: WEBHOOK_KILLS - 1 }, () => () => kill());
    return noneLost(victim, [...kills, () => kill(CLOCK_AHEAD)]);
  }),
);

type Kill = (env?: NodeJS.ProcessEnv) => Promise<void>;

/** A service on a new store that is killed and restarted on its port, with additional variables. */
async function withVictim<T>(use: (victim: Target, kill: Kill) => Promise<T>): Promise<T> {
  const operator = new Operator({ ...ENV, PORT: String(await freePort('127.0.0.1')) });
  try {
    let service = await operator.start();
    const kill: Kill = async (env) => {
      await service.end('SIGKILL');
      service = await operator.start(env);
    };
    const store = { ...ENV, DATA_DIR: operator.path('data') };
    const contradictions = () => withStore(store, contradictionsIn);
    return await use({ service, breaksConnections: true, contradictions }, kill);
  } finally {
    await operator.leave();
  }
}
