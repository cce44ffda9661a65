import type { Type } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import type { Limits } from '../shared/config/config.js';

/** Reads from a request what a limit counts by. */
export interface RateLimitKey {
  /** Undefined where the limit does not apply to the request. */
  of(request: FastifyRequest): string | undefined;
}

/** A limit that each instance counts for itself, by address without `by`. */
export interface InstanceLimit {
  readonly name: keyof Limits;
  /** A provider of the route's feature. */
  readonly by?: Type<RateLimitKey>;
}

/**
 * Limits a public route: by address, counted by all instances together, or by several limits that each instance counts for itself. Other
 * routes are limited by account.
 */
export const RateLimit = Reflector.createDecorator<keyof Limits | readonly InstanceLimit[]>();

/** Whether requests of a method change something. */
export const isWrite = (method: string): boolean => !['GET', 'HEAD'].includes(method);
