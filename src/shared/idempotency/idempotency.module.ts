import { Module } from '@nestjs/common';
import { IdempotentWrites } from './idempotent-writes.service.js';

/** For features whose writes take an idempotency key. */
@Module({ providers: [IdempotentWrites], exports: [IdempotentWrites] })
export class IdempotencyModule {}
