import { IsOptional } from 'class-validator';
import { IsDuration } from './terms.decorators.js';

/** Body of POST /licenses/:id/reissue. */
export class ReissueLicenseDto {
  @IsOptional()
  @IsDuration('Months of the replacement; those of the license where absent', { required: false })
  duration?: number | null;
}
