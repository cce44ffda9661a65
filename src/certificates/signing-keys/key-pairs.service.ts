import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { DataKeys } from '../../shared/sealing/data-keys.js';
import { open, seal } from '../../shared/sealing/sealing.js';
import type { SigningKey } from './signing-keys.js';

/** Generates Ed25519 key pairs and converts private keys to and from their stored form. */
@Injectable()
export class KeyPairs {
  constructor(private readonly dataKeys: DataKeys) {}

  generate(issuer: string): SigningKey {
    const { x, d } = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
    return this.seal(issuer, x!, Buffer.from(d!, 'base64url'));
  }

  /** @param seed the private key: 32 bytes */
  seal(issuer: string, x: string, seed: Buffer): SigningKey {
    const kid = thumbprint(x);
    return { kid, x, sealedSeed: seal(this.dataKeys.sealing, seed, contextOf(issuer, kid)) };
  }

  /** The private key: 32 bytes. */
  open(issuer: string, { kid, sealedSeed }: SigningKey): Buffer {
    return open(this.dataKeys.sealing, sealedSeed, contextOf(issuer, kid));
  }

  privateKey(issuer: string, key: SigningKey): KeyObject {
    const d = this.open(issuer, key).toString('base64url');
    return createPrivateKey({ format: 'jwk', key: { kty: 'OKP', crv: 'Ed25519', x: key.x, d } });
  }
}

const contextOf = (issuer: string, kid: string) => `signing-key ${issuer} ${kid}`;

/** The `kid` of a public key: the RFC 7638 thumbprint. */
export const thumbprint = (x: string): string =>
  createHash('sha256')
    .update(JSON.stringify({ crv: 'Ed25519', kty: 'OKP', x }))
    .digest('base64url');
