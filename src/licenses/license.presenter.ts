import { Injectable } from '@nestjs/common';
import { Clock } from '../shared/time/clock.js';
import { type LicenseDto, toLicenseDto } from './dto/license.response.js';
import { LicenseKeyService } from './license-key.service.js';
import type { License } from './license.js';

/** Shows a license to its owner, with its key opened. */
@Injectable()
export class LicensePresenter {
  constructor(
    private readonly keys: LicenseKeyService,
    private readonly clock: Clock,
  ) {}

  /** The license with the status that it has now. */
  present(license: License): LicenseDto {
    return toLicenseDto(license, this.keys.reveal(license), this.clock.now());
  }

  /** The license as its last change left it: the response to that change, however late it is repeated. */
  presentChanged(license: License): LicenseDto {
    return toLicenseDto(license, this.keys.reveal(license), license.updatedAt);
  }
}
