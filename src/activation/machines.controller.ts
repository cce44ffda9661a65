import { applyDecorators, Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../auth/auth.decorators.js';
import { ApiErrorBody, ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { addressOf } from '../server/client-address.js';
import { WithErrorShape } from '../server/errors/error-body.js';
import { InWorkClass } from '../server/overload/work-class.js';
import { RateLimit } from '../rate-limits/route-limits.js';
import { ActivationErrorBody } from './dto/errors.response.js';
import { HeartbeatDto, HeartbeatResponse, ReleaseDto, ReleaseResponse } from './dto/machine.dto.js';
import { KeyAtAddress } from './key-at-address.js';
import { MachinesService } from './machines.service.js';

/** What the routes of a machine's place have in common: the limits of validation, and the errors of activation. */
const OfMachine = () =>
  applyDecorators(
    InWorkClass('licenseChecks'),
    RateLimit([{ name: 'validationAddress' }, { name: 'validation', by: KeyAtAddress }]),
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
export class MachinesController {
  constructor(private readonly machines: MachinesService) {}

  @Post('heartbeat')
  @OfMachine()
  @Describe(
    'Keep the place of a machine',
    'For a floating license: a machine keeps its place for the lease of the license after each heartbeat. One without a ' +
      'place takes a free one. An end that would move by less than a twentieth of the lease stays.',
  )
  @Responds(200, 'The machine has its place', HeartbeatResponse)
  @ApiErrors(
    'LICENSE_SUSPENDED',
    'LICENSE_EXPIRED',
    'LICENSE_HAS_NO_LEASES',
    'LICENSE_NOT_ACTIVATED',
    'MACHINE_LIMIT_REACHED',
    'MACHINE_QUOTA_REACHED',
    'TRIAL_USED',
  )
  async sendHeartbeat(
    @Req() request: FastifyRequest,
    @Body() check: HeartbeatDto,
  ): Promise<HeartbeatResponse> {
    const { leaseEndsAt, certificate } = await this.machines.heartbeat(check, addressOf(request));
    return {
      success: true,
      message: 'Lease extended successfully',
      leaseEndsAt,
      ...(certificate !== undefined && { certificate }),
    };
  }

  @Post('release')
  @OfMachine()
  @Describe(
    'Give up the place of a machine',
    'For a floating license, at any time; for another one if its `release` is `self`, within 30 days three times, and once more ' +
      'for each ten machines of the license, up to 100 times. Certificates of the machine stay valid until they end.',
  )
  @Responds(200, 'The machine has no place any more', ReleaseResponse)
  @ApiErrors(
    'RELEASE_NOT_ALLOWED',
    'RELEASE_LIMIT_REACHED',
    'MACHINE_NOT_FOUND',
    'CERTIFICATE_OUTSTANDING',
  )
  async releaseMachine(
    @Req() request: FastifyRequest,
    @Body() check: ReleaseDto,
  ): Promise<ReleaseResponse> {
    await this.machines.release(check, addressOf(request));
    return { success: true, message: 'License released from this machine' };
  }
}
