import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { AccessTokenKey, AccessTokenService } from './access-tokens/access-token.service.js';
import { AccountsModule } from './accounts/accounts.module.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { JwtStrategy } from './access-tokens/jwt.strategy.js';
import { LoginAddresses } from './sessions/login-addresses.js';
import { LoginLimiter } from './login-limit/login-limiter.js';
import { CurrentPassword } from './passwords/current-password.service.js';
import { PasswordChangesService } from './passwords/password-changes.service.js';
import { SessionsService } from './sessions/sessions.service.js';

@Module({
  imports: [AccountsModule, JwtModule.register({})],
  controllers: [AuthController],
  providers: [
    AuthService,
    SessionsService,
    CurrentPassword,
    PasswordChangesService,
    AccessTokenService,
    AccessTokenKey,
    JwtStrategy,
    LoginLimiter,
    LoginAddresses,
  ],
  exports: [AuthService, SessionsService, LoginLimiter, CurrentPassword],
})
export class AuthModule {}
