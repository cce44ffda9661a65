import type { Client } from '../clients/client.js';
import { endOfLicense, type License, startsOnActivation } from '../licenses/license.js';
import { isPerpetual } from '../licenses/term.js';
import type { Machine } from '../machines/machine.js';
import type { Plan } from '../plans/plan.js';
import type { Project } from '../projects/project.js';

/** The fields of a row in addition to its license. */
export interface RowParts {
  readonly key: string;
  readonly client: Client | null;
  readonly project: Project | null;
  readonly plan: Plan | null;
  readonly machines: readonly Machine[];
}

/**
 * A license in the form that an import accepts. The service stores only hashes of machines, so they have no
 * fingerprints.
 */
export function canonicalRow(
  license: License,
  { key, client, project, plan, machines }: RowParts,
): object {
  const { _id: ref, status, product, issuedAt, activatedAt, updatesUntil, updatesDays } = license;
  const { maxMachines, leaseSeconds, release, entitlements, services, externalId } = license;
  const length = isPerpetual(license) ? {} : { duration: license.duration, days: license.days };
  return {
    ...{ ref, key },
    client: { ref: license.client, email: client?.email, name: client?.name },
    ...{ project: project?.name, product, plan: plan?.name ?? null },
    ...{ status: status.toLowerCase(), issuedAt, activatedAt },
    expiresAt: startsOnActivation(license) ? null : endOfLicense(license),
    ...{ duration: null, days: null, ...length, updatesUntil, updatesDays },
    ...{ maxMachines, leaseSeconds, release, entitlements, services, externalId },
    metadata: Object.fromEntries(license.metadata),
    ...(activatedAt === null && status !== 'PENDING' && { neverActivated: true }),
    suspendedReason: license.suspendedReason,
    revokedReason: license.revokedReason,
    machines: machines.map(({ name, activatedAt: since }) => ({ name, activatedAt: since })),
  };
}
