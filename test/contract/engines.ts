import { model } from './model.engine.js';
import { mongodb } from './mongo.engine.js';
import { sqlite } from './sqlite.engine.js';
import type { Engine } from './store-under-test.js';

/** The engines that every scope holds to the same contract: MongoDB only if a mongod was found. */
export const engines: Engine[] = process.env.TEST_MONGODB_URI ? [sqlite, mongodb] : [sqlite];

/** The engines, and the model that is their specification. */
export const stores: Engine[] = [model, ...engines];
