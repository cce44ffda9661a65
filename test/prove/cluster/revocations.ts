import { type Developer, LAPTOP } from '../../e2e/developer.js';
import { type Outcome, times } from '../prove.js';
import type { Cluster } from './cluster.js';

const REVOCATIONS = times({ short: 24, long: 1_000 });
const CALLERS = 8;

/** R6: what an instance has revoked is valid at no other. */
export async function revocations({ service, instances }: Cluster): Promise<Outcome> {
  const failures: string[] = [];
  const seen = { revocations: 0, usedBefore: 0, validations: 0, valid: 0 };

  /** Revokes a license by one instance, and validates it by all of them at once. */
  const revoke = async (ada: Developer, project: string, round: number) => {
    const license = await service.addLicense(ada, project);
    const by = instances[(round >> 1) % instances.length]!;
    const others = instances.filter((each) => each !== by);
    if (round % 2 === 0) {
      seen.usedBefore += 1;
      await by.activate(license, LAPTOP);
      const statuses = others.map((each) => each.validationOf(license, LAPTOP));
      for (const status of await Promise.all(statuses)) {
        if (status !== 'active') failures.push(`an active license is ${status}`);
      }
    }
    const path = `/licenses/${license._id}/revoke`;
    const { status } = await by.post(path, { reason: 'Refunded' }, ada);
    if (status !== 200) failures.push(`${status} to a revocation`);
    const after = instances.map((each) => each.validationOf(license, LAPTOP));
    for (const status of await Promise.all(after)) {
      seen.validations += 1;
      if (status !== 'revoked') seen.valid += 1;
    }
    seen.revocations += 1;
  };
  const call = async (caller: number) => {
    const ada = await service.register();
    const { project } = await service.createLicense(ada);
    for (let i = caller; i < REVOCATIONS; i += CALLERS) await revoke(ada, project, i);
  };
  await Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));

  if (seen.valid > 0) failures.push(`${seen.valid} validations after a revocation`);
  return { figures: seen, failures };
}
