import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsText, TransformText } from '../../shared/fields/text.decorators.js';
import { AreDays, IsDuration, IsPerpetual } from './terms.decorators.js';

export class RevokeLicenseDto {
  @ApiPropertyOptional({
    description: 'Why, for your own records',
    type: String,
    nullable: true,
    maxLength: 500,
    example: 'Contract ended',
  })
  @IsOptional()
  @TransformText((text) => text.trim() || null)
  @IsText(1, 500)
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
}
