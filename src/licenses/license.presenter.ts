import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { seesLicenseKeys } from '../auth/principal.js';
import { requestContext } from '../shared/request-context.js';
import { Clock } from '../shared/time/clock.js';
import { type ChangedLicense, type LicenseDto, toLicenseDto } from './dto/license.response.js';
import { LicenseKeyService, maskedKey } from './license-key.service.js';
import { LicenseReader, type ShownLicense } from './license-reader.js';
import type { License } from './license.js';

/** Licenses whose keys are unsealed at a time: it takes milliseconds, in which nothing else runs. */
const UNSEALED = 20;

/** Presents licenses to the current caller: with their keys unsealed if the caller may see them. */
@Injectable()
export class LicensePresenter {
  constructor(
    private readonly keys: LicenseKeyService,
    private readonly licenses: LicenseReader,
    private readonly clock: Clock,
  ) {}

  /** The licenses of an account as they are now. */
  async presentAll(licenses: readonly License[]): Promise<LicenseDto[]> {
    const presented: LicenseDto[] = [];
    for (const shown of await this.licenses.showAll(licenses, this.clock.now())) {
      presented.push(this.present(shown));
      if (presented.length % UNSEALED === 0) await setImmediate();
    }
    return presented;
  }

  /** With its last four characters as its key if the current caller may not see it. */
  present(shown: ShownLicense): LicenseDto {
    const key = this.keys.reveal(shown.license);
    const isSeen = seesLicenseKeys(requestContext.getStore()?.principal);
    return toLicenseDto(shown, isSeen ? key : maskedKey(key));
  }

  respond(message: string, shown: ShownLicense): ChangedLicense {
    return { message, license: this.present(shown) };
  }

  /** The license as programs of its account may see it. */
  presentWithoutKey(shown: ShownLicense): Omit<LicenseDto, 'key'> {
    const { key, ...license } = toLicenseDto(shown, this.keys.masked(shown.license));
    return { ...license, keyHint: key.slice(-4) };
  }
}
