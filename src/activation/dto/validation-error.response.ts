import { ApiProperty } from '@nestjs/swagger';
import { ErrorBody } from '../../openapi/decorators/error-body.dto.js';

/** The body of every error of POST /validate. */
export class LicenseValidationErrorBody extends ErrorBody {
  @ApiProperty({ description: 'Always false', type: Boolean, example: false })
  valid!: false;
}
