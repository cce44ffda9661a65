import { randomUUID } from 'node:crypto';
import { IS_FULL } from './scope.js';

export type Engine = 'SQLite' | 'MongoDB';

/** Every engine that can be tested here; MongoDB only if a mongod was found. */
export const EVERY_ENGINE: Engine[] = process.env.TEST_MONGODB_URI
  ? ['SQLite', 'MongoDB']
  : ['SQLite'];

/** The engines of this scope: SQLite, or every engine in the full scope. */
export const ENGINES: Engine[] = IS_FULL ? EVERY_ENGINE : ['SQLite'];

/** For tests of MongoDB only, such as migrations, transactions and outages. */
export const describeOnMongo = ENGINES.includes('MongoDB') ? describe : describe.skip;

/** The request deadline in tests that do not test it, because a machine under load may be slow. */
export const UNHURRIED = { milliseconds: 60_000 };

/** The secrets of a deployment under test; required with MongoDB. */
export const SECRETS = {
  JWT_SECRET: 'a-key-for-signing-the-tokens-of-tests',
  LICENSE_SECRET: 'a-key-for-wrapping-the-keys-of-tests-0',
};

/** The variables of a new, empty store on an engine, in addition to DATA_DIR. */
export function newStore(engine: Engine): NodeJS.ProcessEnv {
  if (engine === 'SQLite') return {};
  const uri = new URL(String(process.env.TEST_MONGODB_URI));
  uri.pathname = `/test-${randomUUID()}`;
  return { MONGODB_URI: uri.href };
}
