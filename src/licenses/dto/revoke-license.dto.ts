import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional } from 'class-validator';
import { TransformText } from '../../shared/fields/transform-text.decorator.js';
import { IsText } from '../../shared/fields/text.decorator.js';

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
