import { events, kinds, rejections } from './events/event-texts.js';
import { status } from './licenses/status-texts.js';

/** The lowest and highest value that the API accepts. */
interface Range {
  readonly min: number;
  readonly max: number;
}

const months = (count: number) => (count === 1 ? '1 month' : `${count} months`);

const licenses = (count: number) => (count === 1 ? 'license' : 'licenses');

const licensesDeleted = (count: number) => {
  if (count === 0) return '';
  if (count === 1) return 'Its license is deleted with it, and the key becomes unknown.';
  return `Its ${count} licenses are deleted with it, and their keys become unknown.`;
};

/** What a license was issued for. */
const term = ({ duration, days }: { duration: number | null; days: number | null }) => {
  if (duration !== null) return months(duration);
  if (days === null) return 'No end';
  return days === 1 ? '1 day' : `${days} days`;
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
  actionsOf: (name: string) => `Actions of ${name}`,
  showMore: 'Show more',
  shown: (count: number, hasMore: boolean, total?: number) => {
    if (!hasMore) return `${count} shown`;
    return total === undefined
      ? `${count} shown, and there are more`
      : `${count} of ${total.toLocaleString('en')} shown`;
  },
  tryAgain: 'Try again',
  search: 'Search',
  none: '—',
  term,
  noEnd: 'Never',
  duration: 'Duration (months)',

  confirmation: {
    type: (name: string) => `Type ${name} to confirm`,
    mismatch: (name: string) => `This is not ${name}`,
  },

  table: {
    columns: 'Columns',
    select: (name: string) => `Select ${name}`,
    selectAll: 'Select all that are shown',
    selected: (count: number) => `${count} selected`,
    clear: 'Clear selection',
  },

  errors: {
    requestId: 'Request id',
    copyRequestId: 'Copy request id',
    noResponse: 'The service does not respond.',
    noResponseDetails:
      'It may be starting, or the connection is interrupted. Nothing that you have entered is lost.',
    ended: 'Your session has ended.',
    failed: 'This page cannot be shown',
    unexpected: 'This page has failed.',
    unexpectedDetails: 'Reload it. If that does not help, tell the operator this:',
    notFound: 'This page does not exist',
    toOverview: 'Go to the overview',
    waitForService: 'The service does not respond at the moment.',
    repeatsIn: (seconds: number) =>
      seconds <= 90
        ? `Trying again in ${seconds} s`
        : `Trying again in ${Math.ceil(seconds / 60)} min`,
    repeats: 'The request is repeated by itself.',
    stopWaiting: 'Stop waiting',
    mayBeExecuted:
      'The request is not repeated any more. Its first attempt may have been executed: to submit the same again is safe.',
  },

  copy: {
    done: 'Copied',
    failed: 'The browser does not allow copying here: select the text and copy it yourself.',
  },

  session: {
    name: 'Name',
    email: 'E-mail',
    password: 'Password',
    passwordHint: ({ minLength, maxLength }: { minLength: number; maxLength: number }) =>
      `${minLength} to ${maxLength} characters. Common passwords are rejected.`,
    logIn: 'Log in',
    logOut: 'Log out',
    createAccount: 'Create account',
    hasNoAccount: 'No account yet?',
    hasAccount: 'You have an account?',
    closed: 'Registration is closed',
    closedDetails: 'The operator of this service creates the accounts.',
    expired: 'Log in to go on where you were.',
  },

  overview: {
    title: 'Overview',
    byStatus: 'Your licenses by status',
    expiring: 'Expiring soon',
    within: (days: number) => `Within ${days} days`,
    noneExpires: 'No active license expires within 30 days.',
    action: 'Action',
    moreExpire: 'Show all that expire',
    activations: 'Activations per day',
    activationsOf: (count: number, days: number) =>
      `${count} new ${count === 1 ? 'activation' : 'activations'} in the last ${days} days`,
    asTable: 'Show as a table',
    date: 'Day (UTC)',
    count: 'Activations',
    events: 'Latest events',
    noEvents: 'Nothing has happened yet.',
  },

  clients: {
    title: 'Clients',
    client: 'Client',
    new: 'New client',
    name: 'Name',
    email: 'E-mail',
    since: 'Client since',
    searchHint: 'Part of a name or e-mail',
    none: 'No clients yet',
    noneDetails: 'Create your first client. Its projects and licenses come next.',
    notFound: 'No client matches',
    notFoundDetails: 'The search compares parts of names and e-mail addresses.',
    edit: 'Edit client',
    editTitle: (name: string) => `Edit ${name}`,
    delete: 'Delete client',
    deleteTitle: (name: string) => `Delete the client ${name}?`,
    deleteDetails: 'This cannot be undone.',
    hasProjects: (name: string) => `${name} has projects. Delete them first:`,
    deleted: 'Client deleted successfully',
  },

  projects: {
    title: 'Projects',
    project: 'Project',
    new: 'New project',
    newTitle: (client: string) => `New project for ${client}`,
    name: 'Project name',
    product: 'Product',
    productHint:
      'Optional. A label such as com.example.web-shop, which your software names. It cannot be changed once set.',
    productFixed: 'Certificates name it, so it cannot be changed.',
    durationHint: ({ min, max }: Range) => `${min} to ${max}, from the first activation`,
    services: 'Services',
    serviceRequired: 'Choose at least one service',
    none: 'No projects yet',
    noneDetails: 'Create the first project of this client. Its first license comes with it.',
    edit: 'Edit project',
    editTitle: (name: string) => `Edit ${name}`,
    delete: 'Delete project',
    deleteTitle: (name: string) => `Delete the project ${name}?`,
    deleteDetails: (licenses: number) =>
      `${licensesDeleted(licenses)} This cannot be undone.`.trim(),
    hasLicensesInUse: (name: string) => `${name} has licenses in use. Revoke them first:`,
    inUse: {
      ACTIVE: (count: number) => `${count} active ${licenses(count)}`,
      SUSPENDED: (count: number) => `${count} suspended ${licenses(count)}`,
    },
    deleted: 'Project deleted successfully',
    newLicense: 'New license',
    newLicenseOf: (project: string) => `New license for ${project}`,
    openLicense: 'Open the license',
    clientHint: 'One of yours, or a new one',
    emailHint: 'Of the new client',
    projectHint: 'A project of the client, or a new one',
    noLicenses: 'This project has no license.',
    noLicensesSoFar: 'None of the licenses that were read so far belongs to this project.',
  },

  licenses: {
    title: 'Licenses',
    license: 'License',
    of: (project: string) => `License of ${project}`,
    statusLabel: 'Status',
    status,
    any: 'Any',
    filters: 'Filters',
    chooseClientFirst: 'No client',
    expiresAfter: 'Expires from',
    expiresBefore: 'Expires before',
    within30: 'End within 30 days',
    nextMonth: 'End next month',
    clear: 'Clear filters',
    export: 'Export CSV',
    exportFile: 'licenses.csv',
    none: 'No licenses yet',
    noneDetails: 'Issue the first one: for whom, for what, and for how long.',
    notFound: 'No license matches these filters',
    expires: 'Expires',
    issued: 'Created',
    details: 'Details',
    services: 'Services',
    duration: 'Duration',
    notStarted: 'Not started',
    replaces: 'Replaces',
    formerLicense: 'the former license',
    replacedBy: 'Replaced by',
    newLicense: 'the new license',
    left: (days: number) => (days === 1 ? '1 day left' : `${days.toLocaleString('en')} days left`),
    more: 'More',
    revokedOn: 'Revoked',
    because: 'Reason',
    key: 'License key',
    keyMasked: 'Your role shows the last characters of keys.',
    showKey: 'Show key',
    hideKey: 'Hide key',
    copyKey: 'Copy key',
    history: 'History',
  },

  renew: {
    action: 'Renew',
    title: (license: string) => `Renew ${license}`,
    active: 'The term is extended from its end.',
    ended: 'A new term begins now.',
    again: 'The license is active again.',
    undo: 'A renewal cannot be undone.',
  },

  revoke: {
    action: 'Revoke',
    title: (license: string) => `Revoke ${license}?`,
    reason: 'Reason',
    reasonHint: 'Optional, for your own records',
    consequence:
      'The key validates as revoked at once, and can never be activated again. Software that is kept offline runs until its certificate ends. This cannot be undone: issue a new license instead.',
  },

  certificate: {
    title: 'Certificate for a machine without a network',
    details:
      'The software on that machine shows a request. Paste it here, and send the file back to your customer.',
    activates: 'This activates the license for that machine.',
    request: 'Request',
    requestHint: 'As the software shows it: {"fingerprint":"…","product":"…","check":"…"}',
    notARequest: 'Paste the request as the software shows it',
    days: 'Days',
    daysHint: ({ min, max }: Range) => `${min} to ${max}. It never lasts longer than the license.`,
    issue: 'Issue certificate',
    download: 'Download it again',
    file: (licenseId: string) => `certificate-${licenseId}.txt`,
  },

  events: {
    title: 'Events',
    names: events,
    kinds,
    rejections,
    times: (count: number) => `${count} times`,
    by: 'By',
    byYou: 'You',
    bySoftware: 'The software',
    byTime: 'Automatically',
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
    passwordDetails: 'All your other sessions end.',
    passwordChanged: 'Password changed successfully',
  },
} as const;
