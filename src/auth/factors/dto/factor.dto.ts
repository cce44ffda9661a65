import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Length, Matches, ValidateBy, ValidateIf } from 'class-validator';
import { validationError } from '../../../shared/errors/validation-error.js';
import { IsName, TransformText, AsSent } from '../../../shared/fields/request.decorators.js';
import { IsLike, IsOneOf } from '../../../shared/fields/value.decorators.js';
import { MFA_POLICIES, type MfaPolicy } from '../../../shared/quotas/account-totals.js';
import { IsCurrentPassword } from '../../passwords/password.decorators.js';
import type { NewPasskeyResponse, PasskeyResponse } from '../passkeys.js';
import { EXAMPLE_TOKEN } from '../../../shared/fields/response.decorators.js';

const IsCode = ({ required = true } = {}) =>
  applyDecorators(
    TransformText((text) => text.replace(/\s/g, '')),
    IsLike(/^\d{6}$/, '6 digits', {
      description: 'The 6 digits that the authenticator app shows',
      example: '287082',
      required,
    }),
  );

const isPasskeyResponse = (value: unknown) => {
  const { id, rawId, type, response } = (value ?? {}) as Partial<PasskeyResponse>;
  return (
    [id, rawId, response?.clientDataJSON].every((text) => typeof text === 'string') &&
    type === 'public-key'
  );
};

/** The response of a browser for a passkey, as JSON. */
const IsPasskeyResponse = (description: string, { required = true } = {}) =>
  applyDecorators(
    (required ? ApiProperty : ApiPropertyOptional)({
      description,
      type: 'object',
      additionalProperties: true,
      example: {
        id: 'q9Yk0Vb1w4uK2m7r',
        rawId: 'q9Yk0Vb1w4uK2m7r',
        type: 'public-key',
        response: { clientDataJSON: 'e30' },
      },
    }),
    ValidateIf((_body, value) => required || value !== undefined),
    AsSent(),
    ValidateBy(
      { name: 'isPasskeyResponse', validator: { validate: isPasskeyResponse } },
      { message: '$property must be the public key credential of a browser as JSON' },
    ),
  );

const OF_BROWSER = 'The result of `navigator.credentials.get` as JSON';

export class TotpCodeDto {
  @IsCode()
  code!: string;
}

export class CreatePasskeyDto {
  @IsName(100, { description: 'A name you recognize it by', example: 'Phone' })
  name!: string;

  @IsPasskeyResponse('The result of `navigator.credentials.create` as JSON')
  response!: NewPasskeyResponse;
}

export class FactorIdParam {
  @ApiProperty({
    description: 'Object id of a passkey, or `totp` for the authenticator app',
    pattern: '^(totp|[0-9a-fA-F]{24})$',
    example: 'totp',
  })
  @TransformText((text) => text.toLowerCase())
  @Matches(/^(totp|[0-9a-f]{24})$/, {
    message: '$property must be totp or an object id of 24 hexadecimal characters',
  })
  id!: string;
}

/** One of a password and a second factor. */
export class ConfirmationDto {
  @ApiPropertyOptional({ description: 'If the login has no second factor' })
  @IsOptional()
  @IsCurrentPassword()
  password?: string;

  @IsCode({ required: false })
  code?: string;

  @IsPasskeyResponse(`${OF_BROWSER}, for the options of POST /auth/step-up/options`, {
    required: false,
  })
  response?: PasskeyResponse;
}

export class LoginPasskeyDto {
  @IsPasskeyResponse(`${OF_BROWSER}, for the options of POST /auth/login/passkey/options`)
  response!: PasskeyResponse;
}

export class LoginFactorDto {
  @IsLike(/^[\w-]{43}$/, 'the challenge of a login', {
    description: 'From the 403 `FACTOR_REQUIRED`',
    example: EXAMPLE_TOKEN,
  })
  challenge!: string;

  @IsCode({ required: false })
  code?: string;

  @IsPasskeyResponse(`${OF_BROWSER}, for the \`passkeyOptions\` of the 403`, { required: false })
  response?: PasskeyResponse;

  @ApiPropertyOptional({
    description: 'It works once. Case, spaces and hyphens do not matter.',
    example: '7H2K-9QXW-3MTR-V0AB',
    minLength: 1,
    maxLength: 64,
  })
  @IsOptional()
  @Length(1, 64)
  recoveryCode?: string;
}

export class AccountPolicyDto {
  @IsOneOf(MFA_POLICIES, {
    description: 'Whether every member needs a second factor',
    enumName: 'MfaPolicy',
    example: 'required',
  })
  mfa!: MfaPolicy;
}

/** @throws DomainError VALIDATION_ERROR unless a body has exactly one of these fields */
export function requireOneOf<B extends object>(body: B, ...names: (keyof B & string)[]): void {
  const sent = names.filter((name) => body[name] != null);
  if (sent.length === 1) return;
  const reason = `exactly one of ${names.join(', ')} is required`;
  throw validationError(
    Object.fromEntries((sent.length ? sent : names).map((name) => [name, [reason]])),
  );
}
