import { Module } from '@nestjs/common';
import { PasswordHasher } from '../passwords/password-hasher.js';
import { AccountsService } from './accounts.service.js';

/** Accounts without sessions and routes, for the command line as well. */
@Module({
  providers: [AccountsService, PasswordHasher],
  exports: [AccountsService, PasswordHasher],
})
export class AccountsModule {}
