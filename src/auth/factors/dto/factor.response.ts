import { ApiProperty } from '@nestjs/swagger';
import {
  ApiInteger,
  ApiObjectId,
  ApiTimestamp,
  toDto,
  WithMessage,
} from '../../../shared/fields/response.decorators.js';
import { type Factors, unspent } from '../factors.js';

export class PasskeyDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiProperty({ description: 'A name you recognize it by', example: 'Phone' })
  name!: string;

  @ApiTimestamp('Time of creation')
  createdAt!: Date;

  @ApiTimestamp('Time of the latest use; null before the first', { nullable: true })
  lastUsedAt!: Date | null;
}

export class TotpDto {
  @ApiProperty({ description: 'True if an authenticator app is set up', example: true })
  enabled!: boolean;

  @ApiTimestamp('When it was set up; null if it is not', { nullable: true })
  createdAt!: Date | null;
}

export class FactorsResponse {
  @ApiProperty({ description: 'At most 10', type: [PasskeyDto] })
  passkeys!: PasskeyDto[];

  @ApiProperty({ description: 'The authenticator app', type: TotpDto })
  totp!: TotpDto;

  @ApiInteger('Recovery codes that are not used yet', { example: 10 })
  recoveryCodesLeft!: number;
}

const toPasskeyDto = toDto(PasskeyDto);

export const toFactorsResponse = (factors: Factors): FactorsResponse => ({
  passkeys: factors.passkeys.map(toPasskeyDto),
  totp: { enabled: factors.totp !== null, createdAt: factors.totp?.createdAt ?? null },
  recoveryCodesLeft: unspent(factors).length,
});

export class TotpSetupResponse extends WithMessage('Confirm a code of the authenticator app') {
  @ApiProperty({
    description: 'For an app that cannot scan the QR code; base32',
    example: 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ',
  })
  secret!: string;

  @ApiProperty({
    description: 'Show it as a QR code',
    example:
      'otpauth://totp/License%20management:ada%40studio.example?secret=GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ&issuer=License%20management',
  })
  uri!: string;
}

const CODES = {
  type: [String] as [StringConstructor],
  example: ['7H2K-9QXW-3MTR-V0AB'],
};

export class RecoveryCodesResponse extends WithMessage('Recovery codes created') {
  @ApiProperty({ ...CODES, description: 'Shown only once. Each works once.' })
  recoveryCodes!: string[];
}

export class AddedFactorResponse extends WithMessage('Second factor added') {
  @ApiProperty({
    ...CODES,
    description:
      'The recovery codes, if this is your first factor; null otherwise. They are shown only once.',
    nullable: true,
  })
  recoveryCodes!: string[] | null;
}

const OPTIONS = {
  type: 'object',
  additionalProperties: true,
  example: {
    challenge: 'kZ0vKX3Yb0m4o6T2Qw8nHc5sJr1uLd9eAfGgBhViPxE',
    rpId: 'licenses.example.com',
  },
} as const;

export class PasskeyOptionsResponse {
  @ApiProperty({
    ...OPTIONS,
    description: 'Pass it to `navigator.credentials`. It is valid for 5 minutes.',
  })
  passkeyOptions!: object;
}

export class StepUpOptionsResponse {
  @ApiProperty({
    ...OPTIONS,
    description: 'Pass it to `navigator.credentials.get`; null if the login has no passkey',
    nullable: true,
  })
  passkeyOptions!: object | null;
}
