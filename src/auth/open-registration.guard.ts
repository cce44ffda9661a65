import { type CanActivate, Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';

/** Refuses registration where it is closed, before the body is looked at. */
@Injectable()
export class OpenRegistrationGuard implements CanActivate {
  constructor(private readonly config: Config) {}

  canActivate(): true {
    if (this.config.registration === 'closed') throw new DomainError('REGISTRATION_CLOSED');
    return true;
  }
}
