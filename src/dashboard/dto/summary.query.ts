import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsInt, IsOptional, Max, Min } from 'class-validator';
import { TransformToInteger } from '../../shared/fields/transform-to-integer.decorator.js';

/** The query of GET /dashboard/summary. */
export class SummaryQuery {
  @ApiPropertyOptional({
    description: 'Days (UTC) whose activations are counted, today included',
    type: 'integer',
    format: 'int32',
    minimum: 1,
    maximum: 90,
    default: 30,
  })
  @IsOptional()
  @TransformToInteger()
  @IsInt()
  @Min(1)
  @Max(90)
  days = 30;
}
