import { IS_FULL } from '../scope.js';
import { mongodb } from './mongo.engine.js';
import { sqlite } from './sqlite.engine.js';
import type { Engine } from './store-under-test.js';

/** For what only MongoDB can do, or do wrong. */
export const describeOnMongo = process.env.TEST_MONGODB_URI ? describe : describe.skip;

/** For outages of MongoDB, which take their time: see `describeInFull`. */
export const describeOnMongoInFull = IS_FULL ? describeOnMongo : describe.skip;

/** The engines that can be tested here: MongoDB where the run has found a mongod. */
export const engines: Engine[] = process.env.TEST_MONGODB_URI ? [sqlite, mongodb] : [sqlite];
