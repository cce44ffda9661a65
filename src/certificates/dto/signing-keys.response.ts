import { ApiProperty } from '@nestjs/swagger';
import type { PublicKey, PublicSigningKeys } from '../signing-keys/signing-keys.js';

/** A public Ed25519 key as a JWK (RFC 7517, RFC 8037). */
export class PublicJwk {
  @ApiProperty({ description: 'Always `OKP`', type: String, example: 'OKP' })
  kty!: 'OKP';

  @ApiProperty({ description: 'Always `Ed25519`', type: String, example: 'Ed25519' })
  crv!: 'Ed25519';

  @ApiProperty({
    description: 'The key: base64url of 32 bytes',
    pattern: '^[A-Za-z0-9_-]{43}$',
    example: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
  })
  x!: string;

  @ApiProperty({
    description: 'RFC 7638 thumbprint of the key: `kid` of the certificates that it signs',
    pattern: '^[A-Za-z0-9_-]{43}$',
    example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  })
  kid!: string;

  @ApiProperty({ description: 'Always `EdDSA`', type: String, example: 'EdDSA' })
  alg!: 'EdDSA';

  @ApiProperty({ description: 'Always `sig`', type: String, example: 'sig' })
  use!: 'sig';
}

export class JwkSetResponse {
  @ApiProperty({
    type: [PublicJwk],
    description: '`current`, `next`, then retired keys, the latest first',
  })
  keys!: PublicJwk[];
}

/** The signing keys of an account, ready to be built into its software. */
export class SigningKeysResponse {
  @ApiProperty({
    description: 'Claim `iss` of your certificates',
    pattern: '^[0-9a-f]{24}$',
    example: '665f1c2ab7e4a90012345678',
  })
  issuer!: string;

  @ApiProperty({ type: PublicJwk, description: 'The key that signs now' })
  current!: PublicJwk;

  @ApiProperty({ type: PublicJwk, description: 'The key that signs after the next rotation' })
  next!: PublicJwk;
}

export class RotatedSigningKeysResponse extends SigningKeysResponse {
  @ApiProperty({ example: 'Signing keys rotated successfully' })
  message!: string;

  @ApiProperty({
    description: 'Which builds of your software keep working',
    example: buildsThatWork('kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k'),
  })
  builds!: string;
}

export const toJwk = ({ kid, x }: PublicKey): PublicJwk => ({
  kty: 'OKP',
  crv: 'Ed25519',
  x,
  kid,
  alg: 'EdDSA',
  use: 'sig',
});

export function toSigningKeysResponse(keys: PublicSigningKeys): SigningKeysResponse {
  const { issuer, current, next } = keys;
  return { issuer, current: toJwk(current), next: toJwk(next) };
}

export function toRotatedResponse(keys: PublicSigningKeys): RotatedSigningKeysResponse {
  return {
    message: 'Signing keys rotated successfully',
    builds: buildsThatWork(keys.current.kid),
    ...toSigningKeysResponse(keys),
  };
}

/** @param current `kid` of the current key */
function buildsThatWork(current: string): string {
  return (
    `Builds that contain the key ${current} accept new certificates. ` +
    'Builds without it accept none: update them with current and next. Builds that contain the former key accept ' +
    'what it has signed.'
  );
}
