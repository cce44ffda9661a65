import { AreServices, IsDuration } from '../../licenses/dto/terms.decorators.js';
import type { Service } from '../../licenses/license.js';

/** Body of POST /projects/:id/licenses. */
export class CreateLicenseDto {
  @IsDuration('Months from the first activation on')
  duration!: number;

  @AreServices()
  services!: Service[];
}
