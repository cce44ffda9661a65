import { applyDecorators, Body, Controller, Post, Req } from '@nestjs/common';
import { ApiTags } from '@nestjs/swagger';
import type { FastifyRequest } from 'fastify';
import { Public } from '../auth/auth.decorators.js';
import { ApiErrorBody, ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { addressOf } from '../http/client-address.js';
import { InWorkClass, WithErrorShape } from '../http/route-config.js';
import { ActivationErrorBody } from './dto/errors.response.js';
import { HeartbeatDto, HeartbeatResponse, ReleaseDto, ReleaseResponse } from './dto/machine.dto.js';
import { MachinesService } from './machines.service.js';
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
export class MachinesController {
  constructor(private readonly machines: MachinesService) {}

  @Post('heartbeat')
  @OfMachine()
  @Describe(
    'Keep the seat of a machine',
    'For a floating license: after each heartbeat, a machine holds its seat for `leaseSeconds`. A machine without a seat ' +
      'takes a free one. The end of a lease stays if it would move by less than a twentieth of the lease.',
  )
  @Responds(200, 'The machine holds a seat', HeartbeatResponse)
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
    @Body() check: ReleaseDto,
  ): Promise<ReleaseResponse> {
    await this.machines.release(check, addressOf(request));
    return { success: true, message: 'License released from this machine' };
  }
}
