import { Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../auth/auth.decorators.js';
import { InWorkClass, WithErrorShape } from '../http/route-config.js';
import { ApiErrorBody, ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { addressOf } from '../http/client-address.js';
import { RateLimit } from '../limits/rate-limit.guard.js';
import { ActivationService } from './activation.service.js';
import { ACTIVATION_EXAMPLES, VALIDATION_EXAMPLES } from './dto/activation.examples.js';
import {
  ACTIVATION_LIMIT_BODY,
  ActivationError,
  LicenseValidationErrorBody,
} from './dto/errors.response.js';
import { ActivationResponse, toActivationResponse } from './dto/activation.response.js';
import { ActivationDto, LicenseKeyDto } from './dto/license-key.dto.js';
import { toValidationResponse, ValidationResponse } from './dto/validation.response.js';
import { LimitValidations } from './validation-limit.guard.js';

@ApiTags('activation')
@Public()
@Controller('validate')
export class ActivationController {
  constructor(private readonly activations: ActivationService) {}

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
  async activateLicense(
    @Req() request: FastifyRequest,
    @Body() check: ActivationDto,
  ): Promise<ActivationResponse> {
    return toActivationResponse(await this.activations.activate(check, addressOf(request)));
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
  async validateLicense(
    @Req() request: FastifyRequest,
    @Body() check: LicenseKeyDto,
  ): Promise<ValidationResponse> {
    return toValidationResponse(await this.activations.validate(check, addressOf(request)));
  }
}
