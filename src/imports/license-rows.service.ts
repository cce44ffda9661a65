import { Injectable } from '@nestjs/common';
import { CLIENTS } from '../clients/client.js';
import { record } from '../events/event.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import type { License } from '../licenses/license.js';
import { MACHINES } from '../machines/machine.js';
import { PLANS } from '../plans/plan.js';
import { PROJECTS } from '../projects/project.js';
import type { Principal } from '../auth/principal.js';
import { SecurityLog } from '../shared/logging/security-log.js';
import { requestContext } from '../shared/request-context.js';
import { Clock } from '../shared/time/clock.js';
import { Decisions } from '../storage/decisions.js';
import { Store } from '../storage/store.js';
import { canonicalRow } from './canonical-row.js';

/** The number of machines that an import accepts per row. */
const MAX_MACHINES = 100;
/** Licenses whose machines are read at a time. */
const PART_SIZE = 20;

/** Reads licenses with their keys as import rows, and records who exported them. */
@Injectable()
export class LicenseRows {
  constructor(
    private readonly store: Store,
    private readonly keys: LicenseKeyService,
    private readonly decisions: Decisions,
    private readonly securityLog: SecurityLog,
    private readonly clock: Clock,
  ) {}

  /**
   * One line per license, read in parts, between which other requests run.
   *
   * @param licenses of one account
   */
  async read(licenses: readonly License[]): Promise<string[]> {
    const lines: string[] = [];
    for (let first = 0; first < licenses.length; first += PART_SIZE) {
      const rows = await this.readPart(licenses.slice(first, first + PART_SIZE));
      lines.push(...rows.map((row) => `${JSON.stringify(row)}\n`));
    }
    return lines;
  }

  private async readPart(licenses: readonly License[]): Promise<object[]> {
    const machines = await this.machinesOf(licenses);
    return Promise.all(
      licenses.map(async (license) => {
        const [client, project, plan] = await Promise.all([
          this.store.find(CLIENTS, { _id: license.client }),
          this.store.find(PROJECTS, { _id: license.project }),
          license.plan === null ? null : this.store.find(PLANS, { _id: license.plan }),
        ]);
        return canonicalRow(license, {
          key: this.keys.reveal(license),
          ...{ client, project, plan },
          machines: machines.filter((machine) => machine.license === license.seatsOf),
        });
      }),
    );
  }

  private async machinesOf(licenses: readonly License[]) {
    const taken = licenses.filter(({ seats }) => seats > 0);
    const [first] = taken;
    if (!first) return [];
    const groups = taken.map(({ seatsOf }) => seatsOf!);
    const filter = { user: first.user };
    return this.store.newestOf(MACHINES, filter, 'license', groups, MAX_MACHINES);
  }

  /** An interrupted export is recorded too, because keys were sent. */
  async recordExport({ accountId, type, id, name }: Principal, count: number): Promise<void> {
    this.securityLog.record('licenses_exported', { account: accountId, user: id, count });
    const subject = { accountId, _id: accountId, name: 'licenses' };
    const by = { type, id, name };
    const event = record('licenses.exported', subject, this.clock.now(), { data: { count }, by });
    // After its last page, the request has no time left.
    await requestContext.exit(() => this.decisions.commit([event]));
  }
}
