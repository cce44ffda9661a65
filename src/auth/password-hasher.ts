import { randomBytes } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { Injectable } from '@nestjs/common';
import { type Algorithm, hash, verify } from '@node-rs/argon2';
import { BoundedQueue } from '../shared/http/bounded-queue.js';
import { passwordForm } from './password-policy.js';

/**
 * Each takes about 50 ms of a core and 19 MiB, so two run at once, one where there are two cores: the event loop needs
 * the other. A bounded number waits, for less than two seconds.
 */
export const AT_ONCE = availableParallelism() > 2 ? 2 : 1;
const MAX_WAITING = 32;

// Algorithm.Argon2id: a const enum of another package cannot be read under isolatedModules.
const ARGON2ID = 2 as Algorithm;
const COST = { algorithm: ARGON2ID, memoryCost: 19 * 1024, timeCost: 2, parallelism: 1 } as const;

/** Hashes and verifies passwords with argon2id. */
@Injectable()
export class PasswordHasher {
  private readonly queue = new BoundedQueue(AT_ONCE, MAX_WAITING);

  /** @throws DomainError OVERLOADED where a password could not be hashed now */
  checkCapacity(): void {
    this.queue.check();
  }

  /**
   * @returns the hash in the PHC string format
   * @throws DomainError OVERLOADED
   */
  hash(password: string): Promise<string> {
    return this.queue.run(() => hash(passwordForm(password), COST));
  }

  /**
   * @param passwordHash in the PHC string format
   * @throws DomainError OVERLOADED
   */
  verify(passwordHash: string, password: string): Promise<boolean> {
    return this.queue.run(() => verify(passwordHash, passwordForm(password)));
  }
}

/** A well-formed hash that matches no password, verified at the same cost as a real one. */
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
