import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsText, TransformText } from '../../shared/fields/text.decorators.js';
import { IsDuration } from './terms.decorators.js';

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
  @IsDuration('Months that are added to the term')
  duration!: number;
}

export class ReissueLicenseDto {
  @IsOptional()
  @IsDuration('Months of the replacement; those of the license where absent', { required: false })
  duration?: number | null;
}
