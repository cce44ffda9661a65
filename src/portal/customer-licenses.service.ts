import { Injectable } from '@nestjs/common';
import { KeyMail } from '../customer-mail/key-mail.service.js';
import {
  endOfLicense,
  type License,
  type LicenseStatus,
  startsOnActivation,
  statusOf,
} from '../licenses/license.js';
import { LicenseKeyService, maskedKey } from '../licenses/license-key.service.js';
import { LicenseMachines } from '../licenses/license-machines.service.js';
import { LicenseReader, type ShownLicense } from '../licenses/license-reader.js';
import { releasesLeft } from '../licenses/license-transitions.js';
import type { Machine } from '../machines/machine.js';
import { Machines } from '../machines/machines.service.js';
import { type Page, type PageRequest, positionOf } from '../shared/pagination/page.js';
import { Clock } from '../shared/time/clock.js';
import { type CustomerLicenseDto, toCustomerLicenseDto } from './dto/customer.response.js';
import { actorOf, type Visitor } from './portal-sessions.service.js';
import type { Portal } from './portal.js';

/** Maximum number of machines shown per license. */
const SHOWN_MACHINES = { limit: 100, after: undefined };

/** Licenses are listed in this order: usable now, possibly usable again, and the rest. */
export const GROUPS: readonly (readonly LicenseStatus[])[] = [
  ['PENDING', 'ACTIVE'],
  ['EXPIRED', 'SUSPENDED'],
  ['REVOKED'],
];

/** A page, with the group of its last license. */
interface CustomerPage extends Page<CustomerLicenseDto> {
  readonly group: number;
}

/** The operations of a client on its own licenses. */
@Injectable()
export class CustomerLicenses {
  constructor(
    private readonly licenses: LicenseReader,
    private readonly keys: LicenseKeyService,
    private readonly machines: Machines,
    private readonly releases: LicenseMachines,
    private readonly keyMail: KeyMail,
    private readonly clock: Clock,
  ) {}

  /**
   * A page of the client's licenses: group by group, newest first.
   *
   * @param first the group in which the page starts
   */
  async list(
    { portal, client }: Visitor,
    { limit, after }: PageRequest,
    first: number,
  ): Promise<CustomerPage> {
    const now = this.clock.now();
    const query = { clientId: client._id, sort: 'createdAt', order: 'desc' } as const;
    const found: { license: License; group: number }[] = [];
    for (let group = first; group < GROUPS.length && found.length <= limit; group += 1) {
      const page = { limit: limit + 1, after: group === first ? after : undefined };
      const status = [...GROUPS[group]!];
      const { data } = await this.licenses.list(portal._id, { ...query, status }, page, now);
      found.push(...data.map((license) => ({ license, group })));
    }
    const page = found.slice(0, limit);
    const last = found.length > limit ? page.at(-1) : undefined;
    const licenses = page.map(({ license }) => license);
    const shown = await this.licenses.showAll(licenses, now);
    const machines = await Promise.all(shown.map((one) => this.machinesOf(one)));
    return {
      data: shown.map((one, index) => this.present(portal, one, machines[index]!)),
      next: last ? positionOf(last.license, 'createdAt') : null,
      group: last?.group ?? first,
    };
  }

  /** Releases a machine of one of the client's licenses. */
  async release({ portal, client }: Visitor, license: string, machineId: string): Promise<void> {
    await this.releases.releaseFor(license, portal._id, machineId, {
      client: client._id,
      by: actorOf(client),
      most: portal.releasesPer30Days,
    });
  }

  /** Mails the key of one of the client's licenses to the client. */
  async sendKey({ portal, client }: Visitor, license: string): Promise<void> {
    await this.keyMail.send(license, portal._id, { client: client._id, by: actorOf(client) });
  }

  private async machinesOf({ license, machines, at }: ShownLicense): Promise<readonly Machine[]> {
    if (machines.machinesCount === 0) return [];
    return (await this.machines.list(license, undefined, SHOWN_MACHINES, at)).data;
  }

  private present(
    { showKey, releasesPer30Days }: Portal,
    { license, names, machines, at }: ShownLicense,
    held: readonly Machine[],
  ): CustomerLicenseDto {
    const { left, availableAt } = releasesLeft(license, releasesPer30Days, at);
    return toCustomerLicenseDto({
      ...license,
      project: names.projectName,
      key: showKey ? this.keys.reveal(license) : maskedKey(license),
      status: statusOf(license, at),
      startsOnActivation: startsOnActivation(license),
      expiresAt: endOfLicense(license),
      machinesCount: machines.machinesCount,
      machines: held.map(({ machineId, name, lastSeenAt, certificateEndsAt: end }) => ({
        ...{ machineId, name, lastSeenAt },
        certificateEndsAt: end && end > at ? end : null,
      })),
      releasesLeft: left,
      releaseAvailableAt: availableAt,
    });
  }
}
