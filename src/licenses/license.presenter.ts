import { setImmediate } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { seesLicenseKeys } from '../auth/principal.js';
import { requestContext } from '../shared/request-context.js';
import { Clock } from '../shared/time/clock.js';
import { AccountTurns } from '../storage/turns.js';
import { type ChangedLicense, type LicenseDto, toLicenseDto } from './dto/license.response.js';
import { LicenseKeyService, maskedKey } from './license-key.service.js';
import { LicenseReader, type ShownLicense } from './license-reader.js';
import type { License } from './license.js';

/** Licenses presented at a time. This takes milliseconds, during which nothing else runs. */
const PIECE = 20;
/**
 * Maximum number of accounts whose licenses are presented concurrently, one piece each per iteration of the
 * event loop.
 */
const MAX_ACCOUNTS = 2;

/** Presents licenses to the current caller, with their keys unsealed if the caller may see them. */
@Injectable()
export class LicensePresenter {
  private readonly turns = new AccountTurns(MAX_ACCOUNTS);

  constructor(
    private readonly keys: LicenseKeyService,
    private readonly licenses: LicenseReader,
    private readonly clock: Clock,
  ) {}

  /** The licenses of an account as they are now. */
  async presentAll(licenses: readonly License[]): Promise<LicenseDto[]> {
    return this.presentEach(await this.licenses.showAll(licenses, this.clock.now()));
  }

  /** The licenses of an account, in pieces, when it is the account's turn. */
  async presentEach(all: readonly ShownLicense[]): Promise<LicenseDto[]> {
    if (all.length === 0) return [];
    return this.turns.run(all[0]!.license.user, async () => {
      const presented: LicenseDto[] = [];
      for (const shown of all) {
        presented.push(this.present(shown));
        if (presented.length % PIECE === 0) await setImmediate();
      }
      return presented;
    });
  }

  /** Masks all but the last four characters of the key if the current caller may not see it. */
  present(shown: ShownLicense): LicenseDto {
    const { license } = shown;
    const isSeen = seesLicenseKeys(requestContext.getStore()?.principal);
    return toLicenseDto(shown, isSeen ? this.keys.reveal(license) : maskedKey(license));
  }

  respond(message: string, shown: ShownLicense): ChangedLicense {
    return { message, license: this.present(shown) };
  }

  /** The license in the form that programs of its account may see. */
  presentWithoutKey(shown: ShownLicense): Omit<LicenseDto, 'key'> {
    const { key: _key, ...license } = toLicenseDto(shown, maskedKey(shown.license));
    return license;
  }
}
