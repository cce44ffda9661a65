import { Injectable } from '@nestjs/common';
import { Clock } from '../shared/time/clock.js';
import { type ChangedLicense, type LicenseDto, toLicenseDto } from './dto/license.response.js';
import { LicenseKeyService } from './license-key.service.js';
import type { License } from './license.js';

/** Presents a license to its owner, with its key unsealed. */
@Injectable()
export class LicensePresenter {
  constructor(
    private readonly keys: LicenseKeyService,
    private readonly clock: Clock,
  ) {}

  /** The license with its current status. */
  present(license: License): LicenseDto {
    return toLicenseDto(license, this.keys.reveal(license), this.clock.now());
  }

  /** The license as of its last change, so that a repeated request gets the first response, however late. */
  presentChanged(license: License): LicenseDto {
    return toLicenseDto(license, this.keys.reveal(license), license.updatedAt);
  }

  respond(message: string, license: License): ChangedLicense {
    return { message, license: this.presentChanged(license) };
  }
}
