import { CommandError } from '../command-error.js';
import { related, type Resource } from './json-api.js';

const DAY_SECONDS = 86_400;
const UNLIMITED = 1_000_000;

/**
 * Rows of Keygen's `licenses` with their `policies`, `users` and `machines`.
 *
 * @throws CommandError if the policy of a license is missing, because it defines what its expiry means
 */
export function keygenRows(pages: ReadonlyMap<string, readonly Resource[]>): object[] {
  const byId = (type: string) => new Map((pages.get(type) ?? []).map((one) => [one.id, one]));
  const [policies, users] = [byId('policies'), byId('users')];
  const machines = new Map<string | undefined, Resource[]>();
  for (const one of pages.get('machines') ?? []) {
    const license = related(one, 'license');
    machines.set(license, [...(machines.get(license) ?? []), one]);
  }
  return (pages.get('licenses') ?? []).map((license) => {
    const policy = policies.get(related(license, 'policy') ?? '');
    if (!policy) throw new CommandError(`The policy of the license ${license.id} is missing.`);
    // Newer versions of its API name the license's owner, older ones its user.
    const userId = related(license, 'owner') ?? related(license, 'user');
    return rowOf(license, policy, users.get(userId ?? ''), userId, machines.get(license.id) ?? []);
  });
}

function rowOf(
  { id, attributes, ...rest }: Resource,
  { attributes: policy }: Resource,
  user: Resource | undefined,
  userId: string | undefined,
  machines: readonly Resource[],
): object {
  const { fullName, firstName, lastName, email } = user?.attributes ?? {};
  const name = fullName ?? ([firstName, lastName].filter(Boolean).join(' ') || null);
  return {
    ref: id,
    key: attributes.key,
    client: { ref: userId ?? id, email, name },
    product: related({ id, attributes, ...rest }, 'product'),
    issuedAt: attributes.created,
    ...endOf(attributes, policy),
    maxMachines: attributes.maxMachines ?? (policy.floating === false ? 1 : UNLIMITED),
    metadata: attributes.metadata,
    machines: machines.map(({ attributes: machine }) => ({
      fingerprint: machine.fingerprint,
      name: machine.name ?? machine.hostname,
      activatedAt: machine.created,
    })),
  };
}

/**
 * The status and expiry. What Keygen does with an expired license decides whether the license expires or
 * only its updates end.
 */
function endOf(license: Resource['attributes'], policy: Resource['attributes']) {
  const word = String(license.status).toLowerCase();
  const status = word === 'banned' ? 'banned' : license.suspended === true ? 'suspended' : 'active';
  const { expiry } = license;
  if (!expiry && typeof policy.duration === 'number' && startsLater(policy)) {
    const days = policy.duration / DAY_SECONDS;
    return status === 'active'
      ? { status: 'pending', days }
      : { status, days, neverActivated: true };
  }
  if (policy.expirationStrategy === 'MAINTAIN_ACCESS') {
    return { status, expiresAt: null, updatesUntil: expiry ?? null };
  }
  const isPerpetual = policy.expirationStrategy === 'ALLOW_ACCESS';
  return { status, expiresAt: isPerpetual ? null : (expiry ?? null) };
}

const startsLater = ({ expirationBasis }: Resource['attributes']) =>
  typeof expirationBasis === 'string' && expirationBasis !== 'FROM_CREATION';
