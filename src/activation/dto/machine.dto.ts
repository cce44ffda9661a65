import { ApiProperty } from '@nestjs/swagger';
import { Compiled } from '../../http/validation/compiled-body.js';
import { ApiTimestamp } from '../../shared/fields/response.decorators.js';
import { ApiCertificate } from '../../certificates/dto/api-certificate.decorator.js';
import { ActivationDto, LicenseKeyDto } from './license-key.dto.js';

/** Body of POST /validate/heartbeat. */
@Compiled()
export class HeartbeatDto extends ActivationDto {}

/** Body of POST /validate/release. */
@Compiled()
export class ReleaseDto extends LicenseKeyDto {}

class Success {
  @ApiProperty({ description: 'Always true', type: Boolean, example: true })
  success!: true;
}

export class HeartbeatResponse extends Success {
  @ApiProperty({ description: 'What has happened', example: 'Lease extended successfully' })
  message!: string;

  @ApiTimestamp('Until when the machine holds its seat without another heartbeat')
  leaseEndsAt!: Date;

  @ApiCertificate(
    'A certificate for this machine, which ends with the lease; only if it was requested',
    {
      required: false,
    },
  )
  certificate?: string;
}

export class ReleaseResponse extends Success {
  @ApiProperty({ description: 'What has happened', example: 'License released from this machine' })
  message!: string;
}
