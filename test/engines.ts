import { randomUUID } from 'node:crypto';
import { IS_FULL } from './scope.js';

export type Engine = 'SQLite' | 'MongoDB';

/** Every engine that can be tested here, MongoDB where the run has found a mongod. */
export const EVERY_ENGINE: Engine[] = process.env.TEST_MONGODB_URI
  ? ['SQLite', 'MongoDB']
  : ['SQLite'];

/** The engines of this scope: SQLite, and in the full scope every engine. */
export const ENGINES: Engine[] = IS_FULL ? EVERY_ENGINE : ['SQLite'];

/** For tests of what MongoDB alone has, such as migrations, transactions and outages. */
export const describeOnMongo = ENGINES.includes('MongoDB') ? describe : describe.skip;

/** The deadline of requests in tests of other things: a machine under load may be slow. */
export const UNHURRIED = { milliseconds: 60_000 };

/** The secrets of a deployment under test; with MongoDB they must be set. */
export const SECRETS = {
  JWT_SECRET: 'a-key-for-signing-the-tokens-of-tests',
  LICENSE_SECRET: 'a-key-for-wrapping-the-keys-of-tests-0',
};

/** The variables of a new, empty store on an engine, besides DATA_DIR. */
export function newStore(engine: Engine): NodeJS.ProcessEnv {
  if (engine === 'SQLite') return {};
  const uri = new URL(String(process.env.TEST_MONGODB_URI));
  uri.pathname = `/test-${randomUUID()}`;
  return { MONGODB_URI: uri.href };
}
