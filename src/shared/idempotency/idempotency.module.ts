import { Module } from '@nestjs/common';
import { IdempotentWrites } from './idempotent-writes.service.js';

/** Provides idempotent writes to the features. */
@Module({ providers: [IdempotentWrites], exports: [IdempotentWrites] })
export class IdempotencyModule {}
