import { type ExecutionContext, Injectable } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import { Config, type Limit, type Limits } from '../../config/config.js';
import { oncePerHandler } from '../once-per-handler.js';
import { RateLimit } from './rate-limit.decorator.js';

/** The limit that a route names, with its name; of none where it names none or the limit is turned off. */
@Injectable()
export class RouteLimits {
  constructor(
    private readonly config: Config,
    private readonly reflector: Reflector,
  ) {}

  readonly of = oncePerHandler(
    (context: ExecutionContext): (Limit & { readonly name: keyof Limits }) | undefined => {
      const name = this.reflector.get(RateLimit, context.getHandler()) as keyof Limits | undefined;
      const limit = name && this.config.limits[name];
      return limit && limit.requests > 0 ? { name, ...limit } : undefined;
    },
  );
}
