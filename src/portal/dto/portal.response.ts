import { ApiProperty } from '@nestjs/swagger';
import {
  ApiInteger,
  ApiNullableText,
  ApiTimestamp,
  toDto,
  WithMessage,
} from '../../shared/fields/response.decorators.js';
import { MAX_RELEASES } from '../portal.js';
import { LOGO } from './portal.dto.js';

export class PortalDto {
  @ApiProperty({ description: 'Whether customers can sign in', example: true })
  enabled!: boolean;

  @ApiProperty({ description: 'The name customers know you by', example: 'Studio Ada' })
  name!: string;

  @ApiNullableText(
    'Where customers get help: an `https` or `mailto` URL',
    'mailto:support@studio.example',
  )
  supportUrl!: string | null;

  @ApiProperty(LOGO)
  logo!: string | null;

  @ApiProperty({ description: 'Whether customers see their license keys in full', example: true })
  showKey!: boolean;

  @ApiInteger('How many machines of a license a customer can release in 30 days', {
    minimum: 0,
    maximum: MAX_RELEASES,
    example: 3,
  })
  releasesPer30Days!: number;

  @ApiNullableText(
    'The address for customers; null if the operator has not set PORTAL_URL',
    'https://portal.example.com/665f1c2ab7e4a90012345678',
  )
  url!: string | null;
}

export class UpdatedPortal extends WithMessage('Portal updated', { portal: PortalDto }) {}

export const toPortalDto = toDto(PortalDto);

export class PortalLinkResponse extends WithMessage('Portal link created') {
  @ApiNullableText(
    'Signs the client in. It works once. Shown only once; null if the request is repeated with the same `Idempotency-Key`.',
    'https://portal.example.com/665f1c2ab7e4a90012345678/sign-in#kZ0vKX3Yb0m4o6T2Qw8nHcq5sJr1uLd9eAfGgBhViPxE',
  )
  link!: string | null;

  @ApiTimestamp('When the link expires')
  expiresAt!: Date;
}
