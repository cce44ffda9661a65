import { Module } from '@nestjs/common';
import { JwtModule } from '@nestjs/jwt';
import { IdempotencyModule } from '../shared/idempotency/idempotency.module.js';
import { AccessTokenKey, AccessTokenService } from './access-token.service.js';
import { AccountsModule } from './accounts.module.js';
import { AuthController } from './auth.controller.js';
import { AuthService } from './auth.service.js';
import { JwtStrategy } from './jwt.strategy.js';
import { LoginAddresses } from './login-addresses.js';
import { LoginLimiter } from './login-limiter.js';
import { PasswordChangesService } from './password-changes.service.js';
import { SessionsService } from './sessions.service.js';

@Module({
  imports: [AccountsModule, IdempotencyModule, JwtModule.register({})],
  controllers: [AuthController],
  providers: [
    AuthService,
    SessionsService,
    PasswordChangesService,
    AccessTokenService,
    AccessTokenKey,
    JwtStrategy,
    LoginLimiter,
    LoginAddresses,
  ],
})
export class AuthModule {}
