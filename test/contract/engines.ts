import { mongodb } from './reused-mongo.js';
import { sqlite } from './sqlite.engine.js';
import type { Engine } from './store-under-test.js';

/** For tests of SQLite alone. */
export const onSqlite: Engine[] = [sqlite];

/** The engines that every scope holds to the same behaviour: MongoDB only if a mongod was found. */
export const engines: Engine[] = process.env.TEST_MONGODB_URI ? [sqlite, mongodb] : [sqlite];
