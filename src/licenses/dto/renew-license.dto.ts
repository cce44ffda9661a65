import { IsDuration } from './terms.decorators.js';

/** Body of POST /licenses/:id/renew. */
export class RenewLicenseDto {
  @IsDuration('Months that are added to the term')
  duration!: number;
}
