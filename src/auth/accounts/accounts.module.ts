import { Module } from '@nestjs/common';
import { AccountDeletionsService } from './account-deletions.service.js';
import { AccountsService } from './accounts.service.js';
import { PasswordHasher } from '../passwords/password-hasher.js';

/** Accounts without sessions or routes: what the command line needs too. */
@Module({
  providers: [AccountsService, AccountDeletionsService, PasswordHasher],
  exports: [AccountsService, AccountDeletionsService],
})
export class AccountsModule {}
