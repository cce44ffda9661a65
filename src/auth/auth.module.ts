import { EmailChanges } from './accounts/email-changes.service.js';
import { PasswordResets } from './passwords/password-resets.service.js';
import { RecoveryController } from './recovery.controller.js';
import { Module } from '@nestjs/common';
import { CountedEventsModule } from '../events/counted-events.service.js';
import { EmailConflictLimiter } from '../limits/conflict-limiters.js';
import { LoginLimiter } from '../limits/login-limiter.js';
import { Callers } from './access/access.guard.js';
import { AccessTokens } from './access/access-tokens.js';
import { JwtStrategy } from './access/authentication.guard.js';
import { AccountPolicyController } from './accounts/account-policy.controller.js';
import { AccountPolicy } from './accounts/account-policy.service.js';
import { AccountsService } from './accounts/accounts.service.js';
import { LoginLinks } from './accounts/login-links.service.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { FactorChecks } from './factors/factor-checks.service.js';
import { FactorsController } from './factors/factors.controller.js';
import { FactorsService } from './factors/factors.service.js';
import { RelyingParty } from './factors/relying-party.js';
import { SignInController } from './factors/sign-in.controller.js';
import { SignIn } from './factors/sign-in.service.js';
import { StepUp } from './factors/step-up.service.js';
import { MembersController } from './members/members.controller.js';
import { MembersService } from './members/members.service.js';
import { PasswordHasher } from './passwords/password-hasher.js';
import { PasswordsService } from './passwords/passwords.service.js';
import { LoginAddresses } from './sessions/login-addresses.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';

@Module({
  imports: [CountedEventsModule],
  controllers: [
    AuthController,
    SignInController,
    FactorsController,
    AccountPolicyController,
    RecoveryController,
    SessionsController,
    MembersController,
    ApiKeysController,
  ],
  providers: [
    AuthService,
    AccountsService,
    SessionsService,
    PasswordsService,
    PasswordHasher,
    AccessTokens,
    Callers,
    JwtStrategy,
    LoginLimiter,
    LoginAddresses,
    ApiKeysService,
    MembersService,
    LoginLinks,
    PasswordResets,
    EmailChanges,
    EmailConflictLimiter,
    RelyingParty,
    FactorChecks,
    FactorsService,
    SignIn,
    StepUp,
    AccountPolicy,
  ],
  exports: [
    AuthService,
    SignIn,
    StepUp,
    SessionsService,
    PasswordsService,
    AccessTokens,
    ApiKeysService,
    Callers,
    PasswordResets,
  ],
})
export class AuthModule {}
