import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Config, type Limits } from '../../shared/config/config.js';
import type { NamedLimit } from '../../shared/rate-limit/rate-limit-windows.js';
import { memoizeByHandler } from '../memoize-by-handler.js';

/** Limits the requests that an address may make of a route, by the configuration's limit of that name. */
export const RateLimit = Reflector.createDecorator<keyof Limits>();

/** The limit that a route declares, with its name; undefined without one, or if it is turned off. */
@Injectable()
export class RouteLimits {
  constructor(
    private readonly config: Config,
    private readonly reflector: Reflector,
  ) {}

  readonly of = memoizeByHandler((context: ExecutionContext): NamedLimit | undefined => {
    const name = this.reflector.get(RateLimit, context.getHandler()) as keyof Limits | undefined;
    const limit = name && this.config.limits[name];
    return limit && limit.requests > 0 ? { name, ...limit } : undefined;
  });
}
