import 'reflect-metadata';
import { JwtService } from '@nestjs/jwt';
import {
  AccessTokenKey,
  AccessTokenService,
} from '../../build/auth/access-tokens/access-token.service.js';
import { loadConfig } from '../../build/shared/config/load-config.js';
import { SystemClock } from '../../build/shared/time/clock.js';

/** An access token for each account, signed with the secret of an environment or of its data folder. */
export function accessTokens(env, accounts) {
  const key = new AccessTokenKey(loadConfig(env));
  const tokens = new AccessTokenService(new JwtService(), key, new SystemClock());
  return accounts.map(({ _id }) => tokens.issue({ _id, user: _id, accountId: _id }));
}
