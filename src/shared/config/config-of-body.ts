import type { Config } from './config.js';

const CONFIGS = new WeakMap<object, Config>();

/** Lets the constraints of a body, and of objects in it, read the configuration: class-validator passes them only that object. */
export function attachConfig(body: object, config: Config): void {
  CONFIGS.set(body, config);
  for (const value of Object.values(body) as unknown[]) {
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      CONFIGS.set(value, config);
  }
}

export const configOf = (body: object): Config => CONFIGS.get(body)!;
