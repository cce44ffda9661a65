import { contradictionsIn } from '../../contradictions.js';
import { freePort } from '../../free-port.js';
import { Operator } from '../../smoke/operator.js';
import { withStore } from '../../with-store.js';
import type { Target } from './load.js';

/** A process that can be killed, and is restarted with its files. */
export interface Victim extends Target {
  readonly kill: (env?: NodeJS.ProcessEnv) => Promise<unknown>;
  readonly leave: () => Promise<void>;
}

/** The built service on a new SQLite store. It is restarted on its port, with variables that it has in addition. */
export async function killableService(common: NodeJS.ProcessEnv): Promise<Victim> {
  const PORT = String(await freePort('127.0.0.1'));
  const operator = new Operator({ ...common, PORT });
  let service = await operator.start();
  return {
    service,
    breaksConnections: true,
    kill: async (env) => {
      await service.end('SIGKILL');
      service = await operator.start(env);
    },
    contradictions: () =>
      withStore({ ...common, DATA_DIR: operator.path('data') }, contradictionsIn),
    leave: () => operator.leave(),
  };
}
