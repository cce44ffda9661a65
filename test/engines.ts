import { randomUUID } from 'node:crypto';

export type Engine = 'SQLite' | 'MongoDB';

/** The engines that can be tested here: MongoDB where the run has found a mongod. */
export const ENGINES: Engine[] = process.env.TEST_MONGODB_URI ? ['SQLite', 'MongoDB'] : ['SQLite'];

/** The deadline of requests where a test is not about it: a machine under load may be slow. */
export const UNHURRIED = { milliseconds: 60_000 };

/** The secrets of a deployment under test; with MongoDB they must be set. */
export const SECRETS = {
  JWT_SECRET: 'a-key-for-signing-the-tokens-of-tests',
  LICENSE_SECRET: 'a-key-for-wrapping-the-keys-of-tests-0',
};

/** The variables of a new, empty store on an engine, beside DATA_DIR. */
export function newStore(engine: Engine): NodeJS.ProcessEnv {
  if (engine === 'SQLite') return {};
  const uri = new URL(String(process.env.TEST_MONGODB_URI));
  uri.pathname = `/test-${randomUUID()}`;
  return { MONGODB_URI: uri.href };
}
