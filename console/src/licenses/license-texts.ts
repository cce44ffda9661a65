import type { License } from '../api/types.js';
import { titles } from '../app/navigation-texts.js';
import type { Range } from '../texts.js';

/** The service counts the machines of a floating license up to this number. */
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
  count: (count: number) => `${count.toLocaleString('en')} ${count === 1 ? 'seat' : 'seats'}`,
  floating: 'floating',
  ofAll,
  seatsInUse: (license: Seats) =>
    `${ofAll(license)} ${license.maxMachines === 1 ? 'seat' : 'seats'} in use`,
};

export const finding = {
  hint: 'Key, last four characters, customer or reference',
  matches: (name: string) => `Customers matching “${name}”`,
  remove: (filter: string) => `Remove filter ${filter}`,
};

export const machines = {
  title: 'Machines',
  machine: 'Machine',
  noun: ['machine', 'machines'] as const,
  since: 'Since',
  lastSeen: 'Last seen',
  leaseEnds: 'Lease ends',
  none: 'No machines yet.',
  searchHint: 'Part of a name',
  notFound: 'No machines match',
  release: 'Release',
  releaseOf: (machine: string) => `Release ${machine}`,
  releaseTitle: (machine: string, license: string) => `Release ${machine} from ${license}?`,
  releaseConsequence:
    'Frees a seat. If this machine is offline, it keeps working until its certificate expires.',
  released: (machine: string) => `Released ${machine}`,
};

export const suspension = {
  suspend: {
    action: 'Suspend',
    title: (license: string) => `Suspend ${license}?`,
    done: (license: string) => `Suspended ${license}`,
    consequence: 'The key stops validating until you resume it. The expiry date stays the same.',
  },
  resume: {
    action: 'Resume',
    title: (license: string) => `Resume ${license}?`,
    done: (license: string) => `Resumed ${license}`,
    consequence: 'The key works again right away.',
  },
  stays: 'The license stays suspended until you resume it.',
};

export const reissue = {
  action: 'Reissue',
  title: (license: string) => `Reissue ${license}`,
  done: 'License reissued',
  consequence:
    "Revokes this key and issues a new one with the same seats, services and entitlements. This can't be undone.",
  keepMachines: 'Keep machines and expiry date',
  pending: 'The term stays the same and starts on first activation.',
  kept: 'Status, expiry date and machines stay the same. Installed apps only need the new key.',
  keptExpired: 'The new license stays expired until you renew it.',
  notKept: 'All machines must activate again with the new key.',
  rest: (days: number) =>
    `The new license runs for the remaining ${days.toLocaleString('en')} ${days === 1 ? 'day' : 'days'} from first activation.`,
  certificateEnds: 'Offline machines can keep using the old license until',
  open: 'Open the new license',
};

export const terms = {
  more: 'More options',
  plan: 'Plan',
  planHint: 'The plan sets the term, seats and entitlements.',
  noPlan: 'No plan',
  customTerms: 'No plan: choose the terms here',
  termHint: 'Starts on first activation.',
  inDays: 'A number of days, such as for a trial',
  inMonths: 'A number of months',
  untilDate: 'Until a date',
  days: 'Days',
  daysHint: 'For example, 14 for a trial',
  maxMachines: seats.title,
  floating: 'Floating (minutes)',
  floatingHint: ({ min, max }: Range) =>
    `Frees a seat after ${min.toLocaleString('en')} to ${max.toLocaleString('en')} minutes without a heartbeat. Leave empty if machines keep their seats.`,
  floatingFact: 'Floating',
  floatingAfter: (seconds: number) =>
    `Seats are freed after ${(seconds / 60).toLocaleString('en')} minutes without a heartbeat`,
  release: 'Let the app free its own seat',
  releaseHint: 'Floating licenses always allow this.',
  entitlements: 'Entitlements',
  entitlementsHint: 'Feature names your app checks, separated by spaces',
  externalId: 'Your reference',
  externalIdHint: 'Optional. For example, an order number.',
  oncePerMachine: 'One per machine (stops repeat trials)',
};

export const updates = {
  title: 'Updates',
  hint: 'Builds released by then keep running.',
  unlimited: 'Unlimited',
  forDays: 'For a number of days',
  untilDate: 'Until a date',
  days: 'Days of updates',
  daysFrom: (days: number) => `${days.toLocaleString('en')} days from first activation`,
  forCount: (days: number) => `updates for ${days.toLocaleString('en')} days`,
  until: 'Updates until',
};

export const edit = {
  action: 'Edit',
  title: (license: string) => `Edit ${license}`,
  done: (license: string) => `Updated ${license}`,
  planHint:
    "Applies the new plan's seats, entitlements and services. The expiry date doesn't change.",
  expiresHint: 'Leave empty to start the term on first activation.',
  earlier: 'Any date works, so you can also undo a renewal.',
  beforeRenewal: (day: string) => `Before the last renewal: ${day}. Any date works.`,
  notes: 'Notes',
  notesHint: 'One per line, such as seller: Miriam. Your app never sees them.',
  note: 'note',
};

export const plans = {
  title: titles.plans,
  new: 'New plan',
  name: 'Name',
  term: 'Term',
  licenses: 'Licenses',
  showOf: (count: number, name: string) =>
    `${count.toLocaleString('en')}, view licenses of ${name}`,
  issue: 'Issue',
  issueOf: (name: string) => `Issue a license with ${name}`,
  edit: 'Edit',
  editTitle: (name: string) => `Edit plan ${name}`,
  editDetails: 'Applies to new licenses. Licenses already issued stay as they are.',
  anyProduct: 'Any product',
  none: 'No plans yet',
  noneDetails: 'Save terms you sell often, such as "Team, 1 year".',
  delete: 'Delete',
  deleteTitle: (name: string) => `Delete plan ${name}?`,
  deleteDetails: "Licenses issued with this plan stay as they are. This can't be undone.",
};

export const bulk = {
  renew: (count: number) => `Renew ${count} ${count === 1 ? 'license' : 'licenses'}`,
  renewDetails:
    'Extends each from its current expiry date. Expired licenses start a new term today.',
  revoke: (count: number) => `Revoke ${count} ${count === 1 ? 'license' : 'licenses'}?`,
  revokeDetails:
    "The keys stop working now and can't be activated again. Offline machines keep working until their certificate expires. This can't be undone.",
  suspend: (count: number) => `Suspend ${count} ${count === 1 ? 'license' : 'licenses'}?`,
  suspendDetails: 'The keys stop validating until you resume them. The expiry dates stay the same.',
  resume: (count: number) => `Resume ${count} ${count === 1 ? 'license' : 'licenses'}?`,
  resumeDetails: 'The keys work again right away.',
  more: (count: number) => `and ${count} more`,
  others: (count: number) =>
    count === 1 ? '1 other stays as it is' : `${count} others stay as they are`,
  progress: (done: number, all: number, failed: number) =>
    `${done} of ${all} done${failed > 0 ? `, ${failed} failed` : ''}`,
};

export const certificate = {
  title: 'Offline activation',
  details: 'Paste the request your app shows, then send the file to your customer.',
  activates: 'This activates the license on that machine.',
  request: 'Request',
  requestHint: 'Looks like {"fingerprint":"…","product":"…","check":"…"}',
  notARequest: 'Paste the whole request that your app shows',
  days: 'Days',
  daysHint: ({ min, max }: Range) =>
    `${min} to ${max}. The certificate never outlives the license.`,
  issue: 'Issue certificate',
  done: 'Certificate issued and downloaded',
  download: 'Download again',
  file: (licenseId: string) => `certificate-${licenseId}.txt`,
};
