import { randomUUID } from 'node:crypto';
import { IS_FULL, IS_ON_SQLITE } from './scope.js';

export type Engine = 'SQLite' | 'MongoDB';

/**
 * Every engine that can be tested here, MongoDB where the run has found a mongod: for tests of what each engine does in
 * its own way, such as races, transactions, searches and the order of lists.
 */
export const EVERY_ENGINE: Engine[] =
  process.env.TEST_MONGODB_URI && !IS_ON_SQLITE ? ['SQLite', 'MongoDB'] : ['SQLite'];

/** For all other tests: SQLite, and in the full scope every engine. */
export const ENGINES: Engine[] = IS_FULL ? EVERY_ENGINE : ['SQLite'];

/** The deadline of requests in tests of other things: a machine under load may be slow. */
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
