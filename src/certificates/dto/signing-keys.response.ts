import { ApiProperty } from '@nestjs/swagger';
import type { PublicKey, SigningKeys } from '../signing-keys/signing-keys.js';

const ApiAlways = (value: string) =>
  ApiProperty({ description: `Always \`${value}\``, type: String, example: value });

/** 32 bytes, base64url. */
const ApiBytes = (description: string, example: string) =>
  ApiProperty({ description, pattern: '^[A-Za-z0-9_-]{43}$', example });

/** A public Ed25519 key as a JWK (RFC 7517, RFC 8037). */
export class PublicJwk {
  @ApiAlways('OKP')
  kty!: 'OKP';

  @ApiAlways('Ed25519')
  crv!: 'Ed25519';

  @ApiBytes('The key: base64url of 32 bytes', '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo')
  x!: string;

  @ApiBytes(
    'RFC 7638 thumbprint of the key; the `kid` of every certificate it signs',
    'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  )
  kid!: string;

  @ApiAlways('EdDSA')
  alg!: 'EdDSA';

  @ApiAlways('sig')
  use!: 'sig';
}

export class JwkSetResponse {
  @ApiProperty({
    type: [PublicJwk],
    description: 'The current key, the next key, then retired keys, most recent first',
  })
  keys!: PublicJwk[];
}

/** The signing keys of an account, ready to embed in its software. */
export class SigningKeysResponse {
  @ApiProperty({
    description: 'The `iss` claim of your certificates',
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
  @ApiProperty({ example: 'Signing keys rotated' })
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

export const toSigningKeysResponse = ({
  issuer,
  current,
  next,
}: SigningKeys): SigningKeysResponse => ({ issuer, current: toJwk(current), next: toJwk(next) });

/** @param current `kid` of the current key */
export function buildsThatWork(current: string): string {
  return (
    `Builds that contain the key ${current} accept new certificates. ` +
    'Builds without it do not: update them with current and next. Builds that contain the former key still accept ' +
    'certificates signed with it.'
  );
}
