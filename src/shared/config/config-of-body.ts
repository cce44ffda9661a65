import type { Config } from './config.js';

const CONFIGS = new WeakMap<object, Config>();

/** Lets the constraints of a body read the configuration: class-validator passes them the body alone. */
export const attachConfig = (body: object, config: Config): unknown => CONFIGS.set(body, config);

export const configOf = (body: object): Config => CONFIGS.get(body)!;
