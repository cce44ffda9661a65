import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Equals, Matches, ValidateIf } from 'class-validator';

/** Body of POST /signing-keys/rotate. */
export class RotateSigningKeysDto {
  @ApiProperty({
    description: '`kid` of the key that is current: where another one is, nothing is rotated',
    pattern: '^[A-Za-z0-9_-]{43}$',
    example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  })
  @Matches(/^[A-Za-z0-9_-]{43}$/, { message: '$property must be the kid of a signing key' })
  current!: string;

  @ApiPropertyOptional({
    description: 'true where somebody else may have the key: it is no longer published',
    type: Boolean,
    enum: [true],
    example: true,
  })
  @ValidateIf((body: RotateSigningKeysDto) => body.compromised !== undefined)
  @Equals(true, { message: '$property must be true, or absent' })
  compromised?: true;
}
