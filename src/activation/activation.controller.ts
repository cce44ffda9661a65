import { applyDecorators, Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../auth/auth.decorators.js';
import { InWorkClass, WithErrorShape } from '../http/route-config.js';
import { ApiErrorBody, ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { addressOf } from '../http/client-address.js';
import { RateLimit } from '../limits/rate-limit.guard.js';
import { ActivationService } from './activation.service.js';
import {
  ACTIVATION_EXAMPLES,
  ACTIVATION_LIMIT_BODY,
  ActivationError,
  ActivationErrorBody,
  ActivationResponse,
  HeartbeatResponse,
  ReleaseResponse,
} from './dto/activation.response.js';
import { ActivationDto, LicenseKeyDto } from './dto/license-key.dto.js';
import {
  LicenseValidationErrorBody,
  VALIDATION_EXAMPLES,
  ValidationResponse,
} from './dto/validation.response.js';
import { LicenseChecks } from './license-checks.service.js';
import { LimitValidations } from './validation-limit.guard.js';

/** Shared by the routes for a machine's seat: validation limits and activation errors. */
const OfMachine = () =>
  applyDecorators(
    InWorkClass('licenseChecks'),
    LimitValidations(),
    WithErrorShape({ always: { success: false } }),
    ApiErrorBody(ActivationErrorBody),
    ApiErrors(
      'TOO_MANY_REQUESTS',
      'LICENSE_KEY_REQUIRED',
      'FINGERPRINT_REQUIRED',
      'PRODUCT_REQUIRED',
      'LICENSE_NOT_FOUND',
      'LICENSE_REVOKED',
    ),
  );

@ApiTags('activation')
@Public()
@Controller('validate')
export class ActivationController {
  constructor(
    private readonly activations: ActivationService,
    private readonly checks: LicenseChecks,
  ) {}

  @Post('activate')
  @InWorkClass('licenseChecks')
  @RateLimit('activation')
  @WithErrorShape({
    always: { success: false },
    unexpected: 'ACTIVATION_FAILED',
    tooManyRequests: { ...ACTIVATION_LIMIT_BODY },
  })
  @Describe(
    'Activate a license key on a machine',
    'The term starts with the first activation. Each machine takes one of the `maxMachines` seats of the license (1 by default). ' +
      'If no seat is free, the activation is rejected. A machine that holds a seat can activate again, which extends ' +
      'its lease if there is one. A key for a different `product` returns 404.\n\n' +
      'Rate limited per IP address. The limit for distinct unknown keys is shared with POST /validate.',
  )
  @Responds(200, 'The license is active on this machine', ActivationResponse, ACTIVATION_EXAMPLES)
  @ApiErrorBody(ActivationError)
  @ApiErrors(
    'LICENSE_KEY_REQUIRED',
    'FINGERPRINT_REQUIRED',
    'FINGERPRINT_INVALID',
    'PRODUCT_REQUIRED',
    'LICENSE_NOT_FOUND',
    'LICENSE_REVOKED',
    'LICENSE_SUSPENDED',
    'LICENSE_EXPIRED',
    'LICENSE_ON_ANOTHER_MACHINE',
    'MACHINE_LIMIT_REACHED',
    'MACHINE_QUOTA_REACHED',
    'TRIAL_USED',
  )
  activateLicense(
    @Req() request: FastifyRequest,
    @Body() check: ActivationDto,
  ): Promise<ActivationResponse> {
    return this.activations.activate(check, addressOf(request));
  }

  @Post()
  @InWorkClass('licenseChecks')
  @LimitValidations()
  @WithErrorShape({ always: { valid: false } })
  @Describe(
    'Check whether a license can be used on a machine',
    'Never activates or changes the license, and always reflects its latest state. A license that ' +
      'cannot be used returns 200 with `valid` false, not an error.\n\n' +
      'Three limits apply per IP address: one for each license key, one for all validations and one for distinct ' +
      'unknown keys. Once the last limit is reached, unknown keys get 429 until its window ends, while existing licenses still ' +
      'validate. The X-RateLimit headers describe whichever of the first two is closer to being reached; ' +
      'on a 429 they describe the limit that was exceeded.',
  )
  @Responds(
    200,
    'The status of the license on this machine',
    ValidationResponse,
    VALIDATION_EXAMPLES,
  )
  @ApiErrorBody(LicenseValidationErrorBody)
  @ApiErrors(
    'TOO_MANY_REQUESTS',
    'LICENSE_KEY_REQUIRED',
    'FINGERPRINT_REQUIRED',
    'PRODUCT_REQUIRED',
  )
  validateLicense(
    @Req() request: FastifyRequest,
    @Body() check: LicenseKeyDto,
  ): Promise<ValidationResponse> {
    return this.checks.validate(check, addressOf(request));
  }

  @Post('heartbeat')
  @OfMachine()
  @Describe(
    'Extend the lease of a machine',
    'For floating licenses. After each heartbeat, the machine keeps its seat for `leaseSeconds`. A machine without a seat ' +
      'takes a free one. The lease is extended only if this moves its expiry by at least 5% of `leaseSeconds`.',
  )
  @Responds(200, 'The machine holds a seat', HeartbeatResponse)
  @ApiErrors(
    'FINGERPRINT_INVALID',
    'LICENSE_SUSPENDED',
    'LICENSE_EXPIRED',
    'LICENSE_HAS_NO_LEASES',
    'LICENSE_NOT_ACTIVATED',
    'MACHINE_LIMIT_REACHED',
    'MACHINE_QUOTA_REACHED',
    'TRIAL_USED',
  )
  sendHeartbeat(
    @Req() request: FastifyRequest,
    @Body() check: ActivationDto,
  ): Promise<HeartbeatResponse> {
    return this.activations.heartbeat(check, addressOf(request));
  }

  @Post('release')
  @OfMachine()
  @Describe(
    'Release the seat of a machine',
    'On a floating license, a machine can always release its seat. On other licenses, it can do so only if `release` ' +
      'is `self`. A license allows three such releases in 30 days, plus one for every ten `maxMachines`, up to 100. ' +
      'Certificates of the machine stay valid until they expire.',
  )
  @Responds(200, 'The machine no longer holds a seat', ReleaseResponse)
  @ApiErrors(
    'RELEASE_NOT_ALLOWED',
    'RELEASE_LIMIT_REACHED',
    'MACHINE_NOT_FOUND',
    'CERTIFICATE_OUTSTANDING',
  )
  async releaseMachine(
    @Req() request: FastifyRequest,
    @Body() check: LicenseKeyDto,
  ): Promise<ReleaseResponse> {
    await this.activations.release(check, addressOf(request));
    return { success: true, message: 'License released from this machine' };
  }
}
