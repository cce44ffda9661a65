import { ConfirmationDto } from '../../auth/factors/dto/factor.dto.js';
import { OnlyTrue, IsLike } from '../../shared/fields/value.decorators.js';

export class RotateSigningKeysDto extends ConfirmationDto {
  @IsLike(/^[A-Za-z0-9_-]{43}$/, 'the kid of a signing key', {
    description:
      '`kid` of the current key. If a different key is current, nothing changes and you get 409.',
    example: 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k',
  })
  current!: string;

  @OnlyTrue(
    'Set to true if someone else may have the key. It is removed from the key set immediately',
  )
  compromised?: true;
}
