import { events, kinds, rejections } from './events/event-texts.js';
import { status } from './licenses/status-texts.js';
import { session } from './session/session-texts.js';

/** The lowest and highest value that the API accepts. */
export interface Range {
  readonly min: number;
  readonly max: number;
}

/** The singular and plural of a noun. */
export type Noun = readonly [one: string, many: string];

const counted = (count: number, [one, many]: Noun) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

const LICENSE = ['license', 'licenses'] as const;

const licensesDeleted = (count: number) => {
  if (count === 0) return '';
  if (count === 1) return 'This also deletes its license. The key will no longer be recognized.';
  return `This also deletes its ${counted(count, LICENSE)}. Their keys will no longer be recognized.`;
};

/** What a license was issued for. */
const term = ({ duration, days }: { duration: number | null; days: number | null }) => {
  if (duration === 12) return '1 year';
  if (duration !== null) return counted(duration, ['month', 'months']);
  if (days === null) return 'Perpetual';
  if (days % 365 === 0) return counted(days / 365, ['year', 'years']);
  return counted(days, ['day', 'days']);
};

/** Every text of the console. */
export const texts = {
  product: 'License console',
  titleOf: (page: string) => `${page} · License console`,
  skip: 'Skip to content',
  navigation: 'Main',
  menu: 'Menu',
  breadcrumbs: 'Breadcrumbs',
  loading: 'Loading…',
  cancel: 'Cancel',
  close: 'Close',
  dismiss: 'Dismiss',
  save: 'Save',
  create: 'Create',
  created: (name: string) => `Created ${name}`,
  updated: (name: string) => `Updated ${name}`,
  deleted: (name: string) => `Deleted ${name}`,
  undo: 'Undo',
  restored: (name: string) => `Restored ${name}`,
  erased: (name: string) => `Erased ${name}`,
  actionsFor: (name: string) => `Actions for ${name}`,
  showMore: 'Show more',
  shown: (noun: Noun, count: number, hasMore: boolean, total?: number) => {
    if (!hasMore) return counted(count, noun);
    return total === undefined
      ? `First ${counted(count, noun)}`
      : `${count} of ${counted(total, noun)}`;
  },
  tryAgain: 'Try again',
  search: 'Search',
  none: '—',
  term,
  perpetual: 'Perpetual',
  duration: 'Term (months)',

  discard: {
    question: 'Discard your input?',
    keep: 'Keep editing',
    action: 'Discard',
  },

  confirmation: {
    type: (name: string) => `Type ${name} to confirm`,
    mismatch: (name: string) => `Type exactly: ${name}`,
  },

  table: {
    columns: 'Columns',
    select: (name: string) => `Select ${name}`,
    selectAll: 'Select all shown',
    selectEverything: (count: number) => `Select all ${count.toLocaleString('en')}`,
    selected: (count: number) => `${count.toLocaleString('en')} selected`,
    clear: 'Clear selection',
  },

  errors: {
    requestId: 'Request ID',
    copyRequestId: 'Copy request ID',
    noResponse: 'The service is not responding.',
    noResponseDetails: 'It may be starting up, or you may be offline. Your input is still here.',
    ended: 'You have been signed out.',
    failed: "This page can't be shown",
    unexpected: 'Something went wrong.',
    unexpectedDetails: 'Reload the page. If it happens again, send this to your administrator:',
    notFound: "This page doesn't exist",
    notFoundDetails: 'Check the address, or search for the record.',
    toOverview: 'Go to the overview',
    retries: 'Retrying automatically.',
    retriesIn: (seconds: number) =>
      seconds <= 90 ? `Retrying in ${seconds} s` : `Retrying in ${Math.ceil(seconds / 60)} min`,
    stopWaiting: 'Stop waiting',
    mayBeExecuted:
      'Stopped retrying. The first attempt may have gone through. You can safely submit the same input again.',
  },

  copy: {
    done: 'Copied',
    failed: 'Your browser blocks copying here. Select the text and copy it manually.',
  },

  session,

  overview: {
    title: 'Overview',
    byStatus: 'Licenses by status',
    expiring: 'Expiring soon',
    within: (days: number) => `Within ${days} days`,
    noneExpires: 'No active license expires in the next 30 days.',
    action: 'Action',
    moreExpire: 'View all expiring',
    activations: 'Activations per day',
    activationsOf: (count: number, days: number) =>
      `${counted(count, LICENSE)} activated in the last ${days} days`,
    days: (days: number) => `${days} days`,
    change: (now: number, before: number, days: number) => {
      const percent = Math.round((100 * (now - before)) / before);
      const previous = `in the previous ${days} days`;
      if (percent === 0) return `the same as ${previous}`;
      return `${Math.abs(percent)}% ${percent > 0 ? 'more' : 'fewer'} than ${previous}`;
    },
    asTable: 'Show as table',
    date: 'Day (UTC)',
    count: 'Activations',
    events: 'Latest events',
    noEvents: 'No events yet.',
  },

  clients: {
    title: 'Customers',
    client: 'Customer',
    noun: ['customer', 'customers'],
    new: 'New customer',
    name: 'Name',
    email: 'Email',
    since: 'Customer since',
    licensesOf: (count: number, name: string) =>
      `${count.toLocaleString('en')}, view licenses of ${name}`,
    searchHint: 'Part of a name or email',
    none: 'No customers yet',
    noneDetails: 'Add your first customer, then their projects and licenses.',
    notFound: 'No customers match',
    notFoundDetails: 'Try part of a name or email address.',
    edit: 'Edit customer',
    editTitle: (name: string) => `Edit ${name}`,
    delete: 'Delete customer',
    deleteTitle: (name: string) => `Delete customer ${name}?`,
    deleteDetails: 'You can restore it for 30 days.',
    hasProjects: (name: string) => `${name} still has projects. Delete them first:`,
  },

  projects: {
    title: 'Projects',
    project: 'Project',
    new: 'New project',
    newTitle: (customer: string) => `New project for ${customer}`,
    name: 'Project name',
    product: 'Product',
    productHint:
      'Optional. The ID your app sends when it activates, e.g. com.example.web-shop. You can change it until the first activation.',
    productFixed: "A license was activated with this ID, so it can't be changed.",
    services: 'Services',
    serviceRequired: 'Choose at least one service',
    none: 'No projects yet',
    noneDetails: "Create this customer's first project. It comes with a license.",
    edit: 'Edit project',
    editTitle: (name: string) => `Edit ${name}`,
    delete: 'Delete project',
    deleteTitle: (name: string) => `Delete project ${name}?`,
    deleteDetails: (count: number) =>
      `${licensesDeleted(count)} You can restore it for 30 days.`.trim(),
    hasLicensesInUse: (name: string) => `${name} has licenses in use. Revoke them first:`,
    inUse: {
      ACTIVE: (count: number) => counted(count, ['active license', 'active licenses']),
      SUSPENDED: (count: number) => counted(count, ['suspended license', 'suspended licenses']),
    },
    newLicense: 'New license',
    newLicenseFor: (project: string) => `New license for ${project}`,
    newLicenseOf: (plan: string) => `New license: ${plan}`,
    openLicense: 'Open the license',
    clientHint: 'Search or add a customer',
    emailLabel: "New customer's email",
    projectHint:
      "Groups the customer's licenses. Leave empty to use their project for this product, or a new one.",
    noLicenses: 'This project has no licenses.',
    noLicensesSoFar: 'No licenses of this project loaded yet. Show more to load the rest.',
  },

  licenses: {
    title: 'Licenses',
    license: 'License',
    noun: LICENSE,
    titleOf: (project: string) => `${project} license`,
    statusLabel: 'Status',
    status,
    any: 'Any',
    filters: 'Filters',
    chooseClientFirst: 'Choose a customer first',
    createdAfter: 'Created after',
    createdBefore: 'Created before',
    expiresAfter: 'Expires after',
    expiresBefore: 'Expires before',
    within30: 'Expiring in 30 days',
    nextMonth: 'Expiring next month',
    clear: 'Clear filters',
    import: 'Import',
    export: 'Export CSV',
    exportFile: 'licenses.csv',
    none: 'No licenses yet',
    noneDetails: 'Choose a customer, a project and a term to issue your first key.',
    notFound: 'No licenses match these filters',
    created: 'License created',
    expires: 'Expires',
    issued: 'Created',
    details: 'Details',
    services: 'Services',
    term: 'Term',
    fixed: 'Until a fixed date',
    startsLater: 'Starts on first activation',
    replaces: 'Replaces',
    formerLicense: 'the previous license',
    replacedBy: 'Replaced by',
    newLicense: 'the new license',
    left: (days: number) => `${counted(days, ['day', 'days'])} left`,
    more: 'More',
    revokedOn: 'Revoked',
    because: 'Reason',
    key: 'License key',
    keyMasked: "Your role can't see full keys.",
    showKey: 'Show key',
    hideKey: 'Hide key',
    copyKey: 'Copy key',
    history: 'History',
  },

  renew: {
    action: 'Renew',
    title: (license: string) => `Renew ${license}`,
    done: (license: string) => `Renewed ${license}`,
    active: 'Extends from the current expiry date.',
    ended: 'Starts a new term today.',
    again: 'The license becomes active again.',
    undo: 'To undo it, an admin can edit the expiry date.',
  },

  revoke: {
    action: 'Revoke',
    title: (license: string) => `Revoke ${license}?`,
    done: (license: string) => `Revoked ${license}`,
    reason: 'Reason',
    reasonHint: 'Optional. For your own records.',
    consequence:
      "The key stops working now and can't be activated again. Offline machines keep working until their certificate expires. This can't be undone.",
  },

  events: {
    title: 'Events',
    noun: ['event', 'events'],
    names: events,
    kinds,
    rejections,
    times: (count: number) => `${count} times`,
    by: 'By',
    byYou: 'You',
    byApp: 'Your app',
    byCustomer: 'The customer',
    byTime: 'System',
    machine: 'Machine',
    until: 'Valid until',
  },

  account: {
    title: 'Account',
    you: 'You',
    created: 'Account since',
    password: 'Change password',
    current: 'Current password',
    new: 'New password',
    passwordDetails: 'This signs you out everywhere else.',
    passwordChanged: 'Password changed',
  },
} as const;
