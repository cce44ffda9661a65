import { Injectable } from '@nestjs/common';
import { Clock } from '../shared/time/clock.js';
import { type ChangedLicense, type LicenseDto, toLicenseDto } from './dto/license.response.js';
import { LicenseKeyService } from './license-key.service.js';
import { type License, LICENSES } from './license.js';
import { withMachine } from './machine.js';

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
  presentChanged(result: License): LicenseDto {
    const license = withLaterFields(result);
    return toLicenseDto(license, this.keys.reveal(license), license.updatedAt);
  }

  respond(message: string, license: License): ChangedLicense {
    return { message, license: this.presentChanged(license) };
  }
}

/** The license in a result that version 0.5 has stored for a repeat: it had none of the later fields, and one machine at most. */
function withLaterFields(result: License): License {
  const { machineId, activatedAt } = result as License & { readonly machineId?: string | null };
  if (machineId === undefined) return result;
  const initial = Object.entries(LICENSES.fields).map(([name, { initial }]) => [name, initial]);
  const license = { ...(Object.fromEntries(initial) as License), ...result };
  return machineId === null ? license : withMachine(license, { machineId }, activatedAt!);
}
