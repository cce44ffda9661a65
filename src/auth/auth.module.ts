import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { Config } from '../shared/config/config.js';
import { EmailConflictLimiter } from '../limits/email-conflict-limiter.js';
import { jwtOptions } from './access-tokens/access-token.js';
import { AccessTokenService } from './access-tokens/access-token.service.js';
import { Principals } from './access/principals.service.js';
import { AccountsModule } from './accounts/accounts.module.js';
import { ApiKeyUses } from './api-keys/api-key-uses.service.js';
import { ApiKeysController } from './api-keys/api-keys.controller.js';
import { ApiKeysService } from './api-keys/api-keys.service.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { JwtStrategy } from './access-tokens/jwt.strategy.js';
import { LoginAddresses } from './sessions/login-addresses.js';
import { LoginFailures } from './accounts/login-failures.service.js';
import { LoginLimiter } from '../limits/login-limiter.js';
import { InvitationsController } from './members/invitations.controller.js';
import { InvitationsService } from './members/invitations.service.js';
import { MembersController } from './members/members.controller.js';
import { MembersService } from './members/members.service.js';
import { CurrentPassword } from './passwords/current-password.service.js';
import { PasswordChangesService } from './passwords/password-changes.service.js';
import { SessionsController } from './sessions/sessions.controller.js';
import { SessionsService } from './sessions/sessions.service.js';

@Module({
  imports: [AccountsModule, JwtModule.registerAsync({ inject: [Config], useFactory: jwtOptions })],
  controllers: [
    AuthController,
    SessionsController,
    InvitationsController,
    MembersController,
    ApiKeysController,
  ],
  providers: [
    AuthService,
    SessionsService,
    CurrentPassword,
    PasswordChangesService,
    AccessTokenService,
    JwtStrategy,
    LoginLimiter,
    LoginAddresses,
    LoginFailures,
    Principals,
    ApiKeysService,
    ApiKeyUses,
    MembersService,
    InvitationsService,
    EmailConflictLimiter,
  ],
  exports: [AuthService, SessionsService, CurrentPassword, Principals, ApiKeysService],
})
export class AuthModule {}
