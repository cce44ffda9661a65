import { Injectable } from '@nestjs/common';
import type { Actor } from '../events/event.js';
import type { Machine } from '../machines/machine.js';
import { Machines } from '../machines/machines.service.js';
import { lastCertificateEnd, holdsSeat, withLeaseEnd } from '../machines/seat.js';
import { Seats } from '../machines/seats.service.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { AccountId } from '../shared/ids.js';
import { emptyPage, type Page, type PageRequest } from '../shared/pagination/page.js';
import { Clock } from '../shared/time/clock.js';
import { increment, replace } from '../storage/changes.js';
import { Decisions } from '../storage/decisions.js';
import { LicenseReader } from './license-reader.js';
import { releasesLeft, withRelease } from './license-transitions.js';
import { type License, LICENSES } from './license.js';
import { licenseEvent } from './license-events.js';

/** A machine with the license whose seat it holds. */
export interface LicenseOfMachine {
  readonly license: License;
  readonly machine: Machine;
}

/** A release by the client of a license, with the limit for 30 days. */
interface ClientRelease {
  readonly client: string;
  readonly by: Actor;
  readonly most: number;
}

/** Lists and releases the machines of an account's licenses. */
@Injectable()
export class LicenseMachines {
  constructor(
    private readonly licenses: LicenseReader,
    private readonly machines: Machines,
    private readonly seats: Seats,
    private readonly decisions: Decisions,
    private readonly clock: Clock,
  ) {}

  /** A page of the machines that hold a seat on a license, newest first, each with the end of its lease. */
  async list(
    _id: string,
    accountId: AccountId,
    search: string | undefined,
    page: PageRequest,
  ): Promise<Page<Machine>> {
    const license = await this.licenses.get(_id, accountId);
    if (license.seats === 0) return emptyPage(page);
    const found = await this.machines.list(license, search, page, this.clock.now());
    return { ...found, data: found.data.map((machine) => withLeaseEnd(license, machine)) };
  }

  /** A page of the seats that a machine holds now, newest first. */
  async listLicensesOf(
    accountId: AccountId,
    machineId: string,
    page: PageRequest,
  ): Promise<Page<LicenseOfMachine>> {
    const now = this.clock.now();
    const { data, ...rest } = await this.machines.listOf(accountId, machineId, page);
    const found = await Promise.all(
      data.map(async (machine) => {
        const license = await this.licenses.findBySeats(machine.license);
        if (!license || !holdsSeat(license, machine, now)) return [];
        return [{ license, machine: withLeaseEnd(license, machine) }];
      }),
    );
    return { ...rest, data: found.flat() };
  }

  /** Releases a machine. Its certificates stay valid until they expire; the event shows when. */
  async release(_id: string, accountId: AccountId, machineId: string): Promise<void> {
    const decide = async () => {
      const license = await this.licenses.get(_id, accountId);
      const { added, changes } = await this.decideRelease(license, machineId);
      const seats = increment(LICENSES, _id, { seats: added });
      return { result: undefined, changes: [...changes, seats] };
    };
    await this.decisions.run<void>(decide, { key: _id });
  }

  /** Releases a machine for the client of its license, within the limit. */
  async releaseFor(
    _id: string,
    accountId: AccountId,
    machineId: string,
    { client, by, most }: ClientRelease,
  ): Promise<void> {
    const decide = async () => {
      const license = await this.licenses.get(_id, accountId);
      if (license.client !== client) throw new DomainError('LICENSE_NOT_FOUND');
      if (license.status === 'REVOKED') throw new DomainError('LICENSE_REVOKED');
      const { machine, now, added, changes } = await this.decideRelease(license, machineId, by);
      const { certificateEndsAt: certificateExpiresAt } = machine;
      if (certificateExpiresAt && certificateExpiresAt > now) {
        throw new DomainError('CERTIFICATE_OUTSTANDING', { certificateExpiresAt });
      }
      const { availableAt } = releasesLeft(license, most, now);
      if (availableAt !== null || most === 0) {
        throw new DomainError('RELEASE_LIMIT_REACHED', { availableAt });
      }
      const after = { ...withRelease(license, now), seats: license.seats + added };
      return { result: undefined, changes: [...changes, replace(LICENSES, license, after)] };
    };
    await this.decisions.run<void>(decide, { key: _id });
  }

  private async decideRelease(license: License, machineId: string, by?: Actor) {
    const now = this.clock.now();
    const machine = await this.machines.find(license.seatsOf, machineId);
    if (!holdsSeat(license, machine, now)) throw new DomainError('MACHINE_NOT_FOUND');
    const { added, changes } = this.seats.release(license, machine, now);
    const certificateExpiresAt = lastCertificateEnd(license, machine, now);
    const details = { data: { machineId, certificateExpiresAt }, ...(by && { by }) };
    const event = licenseEvent('machine_released', license, now, details);
    return { machine, now, added, changes: [...changes, event] };
  }
}
