import { type CanActivate, Injectable } from '@nestjs/common';
import { Config } from '../../shared/config/config.js';
import { DomainError } from '../../shared/errors/domain-error.js';
import { AccountsService } from './accounts.service.js';

/** Rejects registration where it is closed, before the body is read. */
@Injectable()
export class OpenRegistrationGuard implements CanActivate {
  constructor(
    private readonly config: Config,
    private readonly accounts: AccountsService,
  ) {}

  async canActivate(): Promise<true> {
    if (await this.isClosed()) throw new DomainError('REGISTRATION_CLOSED');
    return true;
  }

  private async isClosed(): Promise<boolean> {
    const { registration } = this.config;
    return registration === 'closed' || (registration === 'first' && (await this.accounts.exist()));
  }
}
