import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { DomainError } from '../shared/errors/domain-error.js';
import { StoreHealth } from './store-health.js';

/** Longest that the store may take to answer, in milliseconds. */
const PATIENCE = 2000;

@Injectable()
export class HealthService implements OnModuleDestroy {
  private shuttingDown = false;

  constructor(private readonly store: StoreHealth) {}

  onModuleDestroy(): void {
    this.shuttingDown = true;
  }

  /** @throws DomainError SHUTTING_DOWN, STORE_UNAVAILABLE */
  async checkReadiness(): Promise<void> {
    if (this.shuttingDown) throw new DomainError('SHUTTING_DOWN');
    const tooLate = new Promise((resolve) => setTimeout(resolve, PATIENCE, 'too late').unref());
    const first = await Promise.race([this.answer(), tooLate]);
    if (first !== 'answered') throw new DomainError('STORE_UNAVAILABLE');
  }

  private async answer(): Promise<'answered' | 'failed'> {
    try {
      await this.store.ping();
      return 'answered';
    } catch {
      return 'failed';
    }
  }
}
