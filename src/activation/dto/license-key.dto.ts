import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, IsString } from 'class-validator';
import { Compiled } from '../../server/validation/compiled-body.js';
import { Required } from '../../shared/fields/required.decorator.js';
import { IsText } from '../../shared/fields/text.decorator.js';
import type { RejectionContext } from '../../shared/errors/validation-error.js';

/** Body of POST /validate/activate (specification, section 4.3) and POST /validate. */
@Compiled()
export class LicenseKeyDto {
  @ApiProperty({
    description: 'The license key; compared without regard to case',
    minLength: 1,
    example: 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD',
  })
  @Required('LICENSE_KEY_REQUIRED')
  @IsString({ context: { rejection: 'LICENSE_KEY_REQUIRED' } satisfies RejectionContext })
  key!: string;

  @ApiPropertyOptional({
    description:
      'Names the machine that calls: derived by the calling program from that machine, the same at each call. ' +
      'Without it, the machine is the one that this service runs on.',
    type: String,
    nullable: true,
    minLength: 16,
    maxLength: 256,
    example: 'b7c1f6a0-5a0d-4b8e-9f55-0d9f6f6a2f11',
  })
  @IsOptional()
  @IsText(16, 256)
  fingerprint?: string | null;
}
