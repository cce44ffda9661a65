import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { IsText } from '../../shared/fields/text.decorator.js';
import { TransformText } from '../../shared/fields/transform-text.decorator.js';
import { IsDuration } from './terms.decorators.js';

/** Body of POST /licenses/:id/revoke. */
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

/** Body of POST /licenses/:id/renew. */
export class RenewLicenseDto {
  @IsDuration('Months that are added to the term')
  duration!: number;
}

/** Body of POST /licenses/:id/reissue. */
export class ReissueLicenseDto {
  @IsOptional()
  @IsDuration('Months of the replacement; those of the license where absent', { required: false })
  duration?: number | null;
}
