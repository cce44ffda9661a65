import { ApiProperty } from '@nestjs/swagger';
import { Matches } from 'class-validator';
import { ConfirmationDto } from '../../auth/factors/dto/factor.dto.js';
import { OnlyTrue } from '../../shared/fields/request.decorators.js';

export class RotateSigningKeysDto extends ConfirmationDto {
  @ApiProperty({
    description:
      '`kid` of the current key. If a different key is current, nothing changes and you get 409.',
    pattern: '^[A-Za-z0-9_-]{43}$',
    example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  })
  @Matches(/^[A-Za-z0-9_-]{43}$/, { message: '$property must be the kid of a signing key' })
  current!: string;

  @OnlyTrue(
    'Set to true if someone else may have the key. It is removed from the key set immediately',
  )
  compromised?: true;
}
