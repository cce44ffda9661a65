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

/** What the routes for a machine's seat have in common: the limits of validation and the errors of activation. */
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
    'The first activation begins the term. Each machine takes a seat on the license, which has `maxMachines` seats (1 by ' +
      'default). If no seat is free, the activation is rejected. A machine that holds a seat may activate again, which extends ' +
      'its lease if it has one. A key of another `product` is not found.\n\n' +
      'The requests of an address are limited. It shares the limit for distinct unknown keys with POST /validate.',
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
    'Ask whether a license may be used on a machine',
    'Never binds or changes a license, and is never older than the last change of it. A license that ' +
      'may not be used is a response, too, and no error.\n\n' +
      'An address has a limit for each license key, one for all its validations, and one for distinct ' +
      'unknown keys. Beyond the last one, unknown keys get 429 until its window ends, and licenses are ' +
      'validated as before. The X-RateLimit headers describe the first or the second, whichever is ' +
      'nearer to rejecting; those of a 429 describe the limit that rejected.',
  )
  @Responds(200, 'Whether it may, and why', ValidationResponse, VALIDATION_EXAMPLES)
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
    'Keep the seat of a machine',
    'For a floating license: after each heartbeat, a machine holds its seat for `leaseSeconds`. A machine without a seat ' +
      'takes a free one. The end of a lease stays if it would move by less than a twentieth of the lease.',
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
    'A machine of a floating license may always release its seat. Seats without a lease can be released if `release` is ' +
      '`self`: three times in 30 days, plus once for each ten of `maxMachines`, and at most 100 times. Certificates of the ' +
      'machine stay valid until they end.',
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
