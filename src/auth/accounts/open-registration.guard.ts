import { type CanActivate, Injectable } from '@nestjs/common';
import { DomainError } from '../../shared/errors/domain-error.js';
import { AuthService } from '../auth.service.js';

/** Rejects registration where it is closed, before the body is read. */
@Injectable()
export class OpenRegistrationGuard implements CanActivate {
  constructor(private readonly auth: AuthService) {}

  async canActivate(): Promise<true> {
    if (!(await this.auth.isRegistrationOpen())) throw new DomainError('REGISTRATION_CLOSED');
    return true;
  }
}
