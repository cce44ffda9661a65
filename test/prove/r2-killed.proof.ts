import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { contradictionsIn } from '../contradictions.js';
import { type Engine, EVERY_ENGINE, SECRETS } from '../engines.js';
import { NO_LIMITS } from '../no-limits.js';
import type { HttpCaller } from '../http-caller.js';
import { Operator } from '../smoke/operator.js';
import { differing, readAll } from './killed/compare.js';
import type { Journal } from './killed/journal.js';
import { killAmidWrites, type Victim } from './killed/round.js';
import { prove, SEED, times } from './prove.js';
import { ReplicaSet } from './replica-set.js';
import { Random } from '../random.js';
import { withStore } from '../with-store.js';

const KILLS = { SQLite: times({ short: 10, long: 500 }), MongoDB: times({ short: 10, long: 100 }) };
/** Kills of one store, after which all of its acknowledged writes are compared, and a new store begins. */
const KILLS_A_STORE = 25;

const ENV = {
  ...SECRETS,
  ...NO_LIMITS,
  LOG_LEVEL: 'silent',
};

describe.each(EVERY_ENGINE)('%s', (engine) => {
  prove('R2', engine, async () => {
    const random = new Random(SEED);
    const seen = { kills: 0, acknowledged: 0, inFlight: 0, failures: [] as string[] };
    while (seen.kills < KILLS[engine]) {
      const setting = await SETTINGS[engine]();
      try {
        let service = await setting.start();
        const journals: Journal[] = [];
        for (let i = 0; i < KILLS_A_STORE && seen.kills < KILLS[engine]; i++) {
          const round = await killAmidWrites(service, setting, random);
          service = round.service;
          journals.push(round.journal);
          seen.kills += 1;
          seen.acknowledged += round.journal.acknowledged;
          seen.inFlight += round.repeated;
          seen.failures.push(...round.failures.map((text) => `kill ${seen.kills}: ${text}`));
        }
        for (const journal of journals) {
          const found = await readAll(service, journal.user.token);
          seen.failures.push(...differing(journal, found).map((text) => `at the end: ${text}`));
        }
      } finally {
        await setting.leave();
      }
    }
    const { failures, ...figures } = seen;
    return { figures: { ...figures, 'lost or half done': failures.length }, failures };
  });
});

interface Setting extends Victim {
  readonly start: () => Promise<HttpCaller>;
  readonly leave: () => Promise<void>;
}

/** On SQLite the service is killed, on MongoDB the server. */
const SETTINGS: Record<Engine, () => Promise<Setting>> = {
  SQLite: async () => {
    const operator = new Operator(ENV, { timeout: 3_600_000 });
    let service = await operator.start();
    return {
      start: async () => service,
      killAndRestart: async () => {
        await service.end('SIGKILL');
        service = await operator.start();
        return service;
      },
      contradictions: () =>
        withStore({ ...ENV, DATA_DIR: operator.path('data') }, contradictionsIn),
      leave: () => operator.leave(),
    };
  },
  MongoDB: async () => {
    const replicaSet = await ReplicaSet.start(1);
    const MONGODB_URI = replicaSet.uri(`proof-${randomUUID()}`);
    const operator = new Operator({ ...ENV, MONGODB_URI }, { timeout: 3_600_000 });
    const service = await operator.start();
    return {
      start: async () => service,
      killAndRestart: async () => {
        const member = await replicaSet.primary();
        await member.kill();
        await member.start();
        await replicaSet.primary();
        while ((await service.get('/health/ready')).status !== 200) await setTimeout(50);
        return service;
      },
      contradictions: () => withStore({ ...ENV, MONGODB_URI }, contradictionsIn),
      leave: async () => {
        await operator.leave();
        await replicaSet.remove();
      },
    };
  },
};
