import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { contradictionsIn } from '../contradictions.js';
import { type Engine, SECRETS } from '../engines.js';
import { freePort } from '../free-port.js';
import { NO_LIMITS } from '../no-limits.js';
import { Random } from '../random.js';
import { Operator } from '../smoke/operator.js';
import { withStore } from '../with-store.js';
import { startReplicaSet } from './cluster/cluster.js';
import { Load, type Target } from './killed/load.js';
import { prove, SEED, SOME_ENGINES, times } from './prove.js';
import { CLOCK_AHEAD, noneLost } from './webhooks/none-lost.js';

const KILLS = { SQLite: times({ short: 2, long: 500 }), MongoDB: 100 };
/** Kills while messages of webhooks are sent. */
const WEBHOOK_KILLS = times({ short: 2, long: 50 });
/** Kills of one store, after which all of its acknowledged writes are compared again, and a new store begins. */
const KILLS_A_STORE = 25;

const ENV = { ...SECRETS, ...NO_LIMITS, LOG_LEVEL: 'silent', WEBHOOK_NETWORKS: '127.0.0.1' };

prove('R2', SOME_ENGINES, async (engine) => {
  const random = new Random(SEED);
  const seen = { kills: 0, acknowledged: 0, 'sent again': 0 };
  const failures: string[] = [];
  while (seen.kills < KILLS[engine]) {
    const victim = await VICTIMS[engine]();
    const loads: Load[] = [];
    try {
      while (loads.length < KILLS_A_STORE && seen.kills < KILLS[engine]) {
        seen.kills += 1;
        const load = await Load.during(`kill ${seen.kills}`, victim, random, victim.kill);
        loads.push(load);
        seen.acknowledged += load.acknowledged;
        seen['sent again'] += load.service.repeated;
        failures.push(...load.failures);
      }
      for (const load of loads) failures.push(...(await load.compare()));
    } finally {
      await victim.leave();
    }
  }
  return { figures: { ...seen, 'lost or half done': failures.length }, failures };
});

/** A process that can be killed, and is restarted with its files, on its port, and with variables that it has in addition. */
interface Victim extends Target {
  readonly kill: (env?: NodeJS.ProcessEnv) => Promise<unknown>;
  readonly leave: () => Promise<void>;
}

/** On SQLite the service is killed, on MongoDB the server. */
const VICTIMS: Record<Engine, () => Promise<Victim>> = {
  SQLite: async () => {
    const operator = new Operator({ ...ENV, PORT: String(await freePort('127.0.0.1')) });
    let service = await operator.start();
    return {
      service,
      breaksConnections: true,
      kill: async (env) => {
        await service.end('SIGKILL');
        service = await operator.start(env);
      },
      contradictions: () =>
        withStore({ ...ENV, DATA_DIR: operator.path('data') }, contradictionsIn),
      leave: () => operator.leave(),
    };
  },
  MongoDB: async () => {
    const replicaSet = await startReplicaSet(1);
    const MONGODB_URI = replicaSet.uri(`proof-${randomUUID()}`);
    const operator = new Operator({ ...ENV, MONGODB_URI });
    const service = await operator.start();
    return {
      service,
      kill: async () => {
        const member = await replicaSet.primary();
        await member.kill();
        await member.start();
        await replicaSet.primary();
        while ((await service.get('/health/ready')).status !== 200) await setTimeout(50);
      },
      contradictions: () => withStore({ ...ENV, MONGODB_URI }, contradictionsIn),
      leave: async () => {
        await operator.leave();
        await replicaSet.remove();
      },
    };
  },
};

prove('R13', ['SQLite'], async () => {
  const victim = await VICTIMS.SQLite();
  try {
    const kills = Array.from({ length: WEBHOOK_KILLS - 1 }, () => () => victim.kill());
    return await noneLost(victim, [...kills, () => victim.kill(CLOCK_AHEAD)]);
  } finally {
    await victim.leave();
  }
});
