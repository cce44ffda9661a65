import { ApiProperty } from '@nestjs/swagger';
import { IsString } from 'class-validator';
import type { RejectionContext } from '../../shared/errors/validation-error.js';
import { Required } from '../../shared/fields/required.decorator.js';
import {
  AreDays,
  IsDuration,
  IsPerpetual,
  IsRevocationReason,
  KeepsMachines,
} from './terms.decorators.js';

export class LookUpLicenseDto {
  @ApiProperty({
    description: 'The license key; compared without regard to case',
    minLength: 1,
    example: 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD',
  })
  @Required('LICENSE_KEY_REQUIRED')
  @IsString({ context: { rejection: 'LICENSE_KEY_REQUIRED' } satisfies RejectionContext })
  key!: string;
}

export class RevokeLicenseDto {
  @IsRevocationReason()
  reason?: string | null;
}

export class RenewLicenseDto {
  @IsDuration(
    'Months that are added to the term. One of `duration`, `days` and `perpetual` is required',
  )
  duration?: number | null;

  @AreDays('Days of 24 hours that are added to the term')
  days?: number | null;

  @IsPerpetual('true for no end from now on')
  perpetual?: boolean | null;
}

export class ReissueLicenseDto {
  @IsDuration(
    'Months of the replacement. Without a term it has what is left of that of the license',
    false,
  )
  duration?: number | null;

  @AreDays('Days of 24 hours of the replacement')
  days?: number | null;

  @IsPerpetual('true for a replacement without an end')
  perpetual?: boolean | null;

  @KeepsMachines()
  keepMachines?: boolean | null;
}
