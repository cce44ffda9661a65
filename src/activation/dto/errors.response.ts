import { ApiProperty } from '@nestjs/swagger';
import { ApiInteger } from '../../shared/fields/response.decorators.js';
import { ApiOneOf } from '../../openapi/decorators/api-route.js';
import { ApiRejection } from '../../certificates/dto/api-certificate.decorator.js';
import { ErrorBody } from '../../shared/errors/error-body.response.js';

/** The body of every error of POST /validate/activate except 429. */
export class ActivationErrorBody extends ErrorBody {
  @ApiProperty({ description: 'Always false', type: Boolean, example: false })
  success!: false;

  @ApiRejection()
  rejection?: string;
}

/** The exact body of a 429 of POST /validate/activate (specification, section 7). */
export class ActivationLimitResponse {
  @ApiProperty({ description: 'Always false', type: Boolean, example: false })
  success!: false;

  @ApiProperty({
    description: 'What went wrong, for people',
    example: 'too many requests, please try again later.',
  })
  errors!: string;

  @ApiInteger('The status of the response', { example: 429 })
  status!: number;
}

/** One schema for all errors of the operation (decision 0009). */
@ApiOneOf(ActivationErrorBody, ActivationLimitResponse)
export class ActivationError {}

export const ACTIVATION_LIMIT_BODY: ActivationLimitResponse = {
  success: false,
  errors: 'too many requests, please try again later.',
  status: 429,
};

/** The body of every error of POST /validate. */
export class LicenseValidationErrorBody extends ErrorBody {
  @ApiProperty({ description: 'Always false', type: Boolean, example: false })
  valid!: false;
}
