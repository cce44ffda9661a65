import { createSecretKey, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Config } from '../shared/config/config.js';

/**
 * The key that signs and verifies access tokens, made once: given the secret as a string, jsonwebtoken
 * tries to read it as a public key each time, at forty times the cost.
 */
@Injectable()
export class AccessTokenKey {
  readonly secret: KeyObject;

  constructor(config: Config) {
    this.secret = createSecretKey(Buffer.from(config.jwtSecret));
  }
}
