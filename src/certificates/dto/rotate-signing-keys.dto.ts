import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { OnlyTrue } from '../../shared/fields/only-true.decorator.js';

/** Body of POST /signing-keys/rotate. */
export class RotateSigningKeysDto {
  @ApiProperty({
    description: '`kid` of the key that is current: where another one is, nothing is rotated',
    pattern: '^[A-Za-z0-9_-]{43}$',
    example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  })
  @Matches(/^[A-Za-z0-9_-]{43}$/, { message: '$property must be the kid of a signing key' })
  current!: string;

  @OnlyTrue('true where somebody else may have the key: it is no longer published')
  compromised?: true;
}
