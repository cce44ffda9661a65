import type { License } from '../api/types.js';
import { titles } from '../app/navigation-texts.js';

/** Most machines of a floating license that the service counts. */
const MAX_COUNTED = 1_000;

type Seats = Pick<License, 'machinesCount' | 'maxMachines' | 'leaseSeconds'>;

const ofAll = ({ machinesCount, maxMachines, leaseSeconds }: Seats) => {
  const isMore =
    leaseSeconds !== null && machinesCount >= MAX_COUNTED && machinesCount < maxMachines;
  const [count, all] = [machinesCount, maxMachines].map((number) => number.toLocaleString('en'));
  return `${isMore ? `${count} or more` : count} of ${all}`;
};

export const seats = {
  title: 'Seats',
  ofAll,
  inUse: (license: Seats) => `${ofAll(license)} in use`,
  seatsInUse: (license: Seats) =>
    `${ofAll(license)} ${license.maxMachines === 1 ? 'seat' : 'seats'} in use`,
};

export const machines = {
  title: 'Machines',
  machine: 'Machine',
  since: 'Since',
  lastSeen: 'Last seen',
  leaseEnds: 'Lease ends',
  none: 'None yet. The first activation takes a seat.',
  searchHint: 'Part of a name',
  notFound: 'No machine matches',
  release: 'Release',
  releaseOf: (machine: string) => `Release ${machine}`,
  releaseTitle: (machine: string, license: string) => `Release ${machine} from ${license}?`,
  releaseConsequence:
    'Its seat becomes free for another machine. Software that stays offline runs until its certificate expires.',
  released: (machine: string) => `Released ${machine}`,
};

export const suspension = {
  suspend: {
    action: 'Suspend',
    title: (license: string) => `Suspend ${license}?`,
    done: 'License suspended successfully',
    consequence: 'It is not valid until you resume it. Its term continues.',
  },
  resume: {
    action: 'Resume',
    title: (license: string) => `Resume ${license}?`,
    done: 'License resumed successfully',
    consequence: 'It is again what it would be without the suspension.',
  },
  stays: 'The license stays suspended until you resume it.',
};

export const reissue = {
  action: 'Reissue',
  title: (license: string) => `Reissue ${license}`,
  consequence:
    'For a leaked key: the license is revoked, and one with a new key and the same seats, services and entitlements replaces it. This cannot be undone.',
  keepMachines: 'Keep machines and term',
  pending: 'The term stays the same and starts with the first activation.',
  kept: 'Status, term and machines stay the same. Installed software needs the new key and nothing else.',
  keptExpired: 'The new license stays expired until you renew it.',
  notKept:
    'No machine holds a seat on the new license. Installed software needs the new key and has to be activated again.',
  rest: (term: string) =>
    `The term starts with the first activation and lasts ${term}, the rest of this one.`,
  certificateEnds:
    'Certificates of the former license for machines without a network are valid until',
  open: 'Open the new license',
};

export const terms = {
  more: 'Plan, seats, entitlements',
  plan: 'Plan',
  planHint: 'Its terms replace all others here.',
  noPlan: 'No plan',
  days: 'Days',
  daysHint: 'Instead of months, for example for a trial',
  perpetual: 'Perpetual',
  maxMachines: seats.title,
  leaseSeconds: 'Lease (seconds)',
  leaseSecondsHint: 'Optional. How long a machine holds its seat after a heartbeat',
  release: 'Machines may release their own seats',
  releaseHint: 'With a lease, they always may.',
  entitlements: 'Entitlements',
  entitlementsHint: 'Separated by spaces, such as export.pdf team',
  externalId: 'External id',
  oncePerMachine: 'A machine may use one license of the plan',
};

export const plans = {
  title: titles.plans,
  new: 'New plan',
  name: 'Name',
  term: 'Term',
  none: 'No plans yet',
  noneDetails: 'A plan holds the terms of licenses that you sell again and again.',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete the plan ${name}?`,
  deleteDetails: 'Licenses that were issued by it stay as they are. This cannot be undone.',
  deleted: 'Plan deleted successfully',
};

export const bulk = {
  renew: (count: number) => `Renew ${count} ${count === 1 ? 'license' : 'licenses'}`,
  renewDetails: 'Each term is extended from its end; expired licenses begin a new term.',
  revoke: (count: number) => `Revoke ${count} ${count === 1 ? 'license' : 'licenses'}?`,
  revokeDetails:
    'Their keys validate as revoked at once, and can never be activated again. Software that is kept offline runs until its certificate ends. This cannot be undone: issue new licenses instead.',
  more: (count: number) => `and ${count} more`,
  others: (count: number) =>
    count === 1 ? '1 other stays as it is' : `${count} others stay as they are`,
  progress: (done: number, all: number, failed: number) =>
    `${done} of ${all} done${failed > 0 ? `, ${failed} failed` : ''}`,
};
