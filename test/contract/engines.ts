import { IS_FULL } from '../scope.js';
import { mongodb } from './reused-mongo.js';
import { sqlite } from './sqlite.engine.js';
import type { Engine } from './store-under-test.js';

/** For tests of MongoDB alone. */
export const describeOnMongo = process.env.TEST_MONGODB_URI ? describe : describe.skip;

/** For tests of SQLite alone. */
export const onSqlite: Engine[] = [sqlite];

/** For outages of MongoDB, which wait for timeouts: see `describeInFull`. */
export const describeOnMongoInFull = IS_FULL ? describeOnMongo : describe.skip;

/** The engines of this run: MongoDB only if a mongod was found. */
export const engines: Engine[] = process.env.TEST_MONGODB_URI ? [sqlite, mongodb] : [sqlite];
