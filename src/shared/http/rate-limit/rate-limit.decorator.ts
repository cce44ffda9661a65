import { Reflector } from '@nestjs/core';
import type { Limits } from '../../config/config.js';

/** Limits the requests that an address may make of a route, by the configuration's limit of that name. */
export const RateLimit = Reflector.createDecorator<keyof Limits>();
