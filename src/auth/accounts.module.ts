import { Module } from '@nestjs/common';
import { AccountsService } from './accounts.service.js';
import { PasswordHasher } from './password-hasher.js';

/** Accounts without sessions or routes: what the command line needs too. */
@Module({ providers: [AccountsService, PasswordHasher], exports: [AccountsService] })
export class AccountsModule {}
