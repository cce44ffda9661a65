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
    const { registration } = this.config;
    const isClosed =
      registration === 'closed' || (registration === 'first' && (await this.accounts.exist()));
    if (isClosed) throw new DomainError('REGISTRATION_CLOSED');
    return true;
  }
}
