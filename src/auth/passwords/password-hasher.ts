import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import pLimit from 'p-limit';
import { OVERLOADED } from '../../http/capacity.js';
import { normalizePassword } from './password-policy.js';

/**
 * Maximum number of concurrent hashes, each of which takes about 50 ms of a core and 19 MiB. One core is
 * left for the event loop.
 */
export const MAX_CONCURRENT = availableParallelism() > 2 ? 2 : 1;

/** Maximum number of hashes in progress or waiting, so the last one waits for less than a second. */
export const MAX_QUEUED = 16;

// Algorithm.Argon2id, as a number: isolatedModules does not allow reading another package's const enum.
const ARGON2ID = 2 as Algorithm;
const COST = { algorithm: ARGON2ID, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;

/** Hashes and verifies passwords with argon2id. Both throw OVERLOADED if too many are waiting. */
@Injectable()
export class PasswordHasher {
  private readonly queue = pLimit(MAX_CONCURRENT);

  hash(password: string): Promise<string> {
    return this.inQueue(() => hash(normalizePassword(password), COST));
  }

  verify(passwordHash: string, password: string): Promise<boolean> {
    return this.inQueue(() => verify(passwordHash, normalizePassword(password)));
  }

  private async inQueue<T>(work: () => Promise<T>): Promise<T> {
    const { activeCount, pendingCount } = this.queue;
    if (activeCount + pendingCount >= MAX_QUEUED) throw OVERLOADED;
    return this.queue(work);
  }
}

/** A well-formed hash that matches no password and costs as much to verify as a real one. */
export const NO_PASSWORD = [
  '$argon2id',
  'v=19',
  `m=${COST.memoryCost},t=${COST.timeCost},p=${COST.parallelism}`,
  unpaddedBase64(16),
  unpaddedBase64(32),
].join('$');

function unpaddedBase64(bytes: number): string {
  return randomBytes(bytes).toString('base64').replace(/=+$/, '');
}
