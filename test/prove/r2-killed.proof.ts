import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { contradictionsIn } from '../contradictions.js';
import { type Engine, EVERY_ENGINE, SECRETS } from '../engines.js';
import { NO_LIMITS } from '../no-limits.js';
import { Operator } from '../smoke/operator.js';
import { startReplicaSet } from './cluster/cluster.js';
import { killableService, type Victim } from './killed/killable-service.js';
import { Load } from './killed/load.js';
import { prove, SEED, times } from './prove.js';
import { Random } from '../random.js';
import { withStore } from '../with-store.js';

const KILLS = { SQLite: times({ short: 2, long: 500 }), MongoDB: times({ short: 1, long: 100 }) };
/** Kills of one store, after which all of its acknowledged writes are compared again, and a new store begins. */
const KILLS_A_STORE = 25;

const ENV = { ...SECRETS, ...NO_LIMITS, LOG_LEVEL: 'silent' };

prove('R2', EVERY_ENGINE, async (engine) => {
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

/** On SQLite the service is killed, on MongoDB the server. */
const VICTIMS: Record<Engine, () => Promise<Victim>> = {
  SQLite: () => killableService(ENV),
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
