import { Module } from '@nestjs/common';
import { AccountDeletionsService } from './account-deletions.service.js';
import { AccountsService } from './accounts.service.js';
import { PasswordHasher } from '../passwords/password-hasher.js';

/** Accounts without sessions and routes, for the command line as well. */
@Module({
  providers: [AccountsService, AccountDeletionsService, PasswordHasher],
  exports: [AccountsService, AccountDeletionsService],
})
export class AccountsModule {}
