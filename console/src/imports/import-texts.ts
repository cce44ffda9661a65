/** The texts of the page that imports licenses. */
export const imports = {
  title: 'Import licenses',
  details:
    'Move licenses here from another product. Your customers keep their keys. Use a CSV file with a header row and ' +
    'one license per line.',
  file: 'CSV file',
  fileHint: 'Up to 5 MB. You can check it before anything is imported.',
  fieldsOf: (required: string, optional: string) =>
    `Required: ${required}. Optional: ${optional}. Columns can have any name. You match them in the next step.`,
  tooLarge:
    'This file is larger than 5 MB. Split it, or ask your administrator to run the import command.',
  unreadable: "This file can't be read as CSV:",
  notUtf8: 'It is not UTF-8 text. Save it as UTF-8.',
  twice: (column: string) => `Two columns are named "${column}". Rename one of them.`,
  empty: 'This file has no rows.',
  source: 'Source',
  sourceHint:
    'A short name for the other product. If you import the same file again with this name, only missing rows are added.',
  columns: 'Columns',
  columnsDetails: (rows: number) =>
    `Choose the column for each field of the ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}.`,
  allRows: 'For all rows',
  project: 'Project for rows that have none',
  projectHint:
    'The name of the product you sell. Not needed if a column has its name or product ID.',
  services: 'Services for rows that have none',
  notImported: 'Not imported',
  refHint: 'Any column whose values are unique, such as the order number',
  example: (value: string) => `For example, ${value}`,
  check: 'Check',
  create: (rows: number) =>
    `Import ${rows.toLocaleString('en')} ${rows === 1 ? 'license' : 'licenses'}`,
  stop: 'Stop',
  view: 'View licenses',
  progress: (done: number, all: number) =>
    `${done.toLocaleString('en')} of ${all.toLocaleString('en')} rows`,
  checked: 'Check: nothing has been imported yet',
  imported: 'Import',
  exceeds: "These rows would exceed your account's limits.",
  row: 'Line',
  ref: 'ID',
  outcome: 'Outcome',
  reason: 'Reason',
  first: (count: number) => `The first ${count} rows to review`,
};

export const fields = {
  ref: 'ID in the other product',
  key: 'License key',
  'client.email': 'Customer email',
  'client.name': 'Customer name',
  project: 'Project name',
  product: 'Product ID',
  plan: 'Plan name',
  status: 'Status',
  issuedAt: 'Sold on',
  activatedAt: 'Activated on',
  expiresAt: 'Expires on',
  duration: 'Term in months',
  days: 'Term in days',
  updatesUntil: 'Updates until',
  maxMachines: 'Seats',
  services: 'Services',
  entitlements: 'Entitlements',
  externalId: 'Your reference',
};

export const outcomes = {
  created: 'New',
  same: 'Already imported',
  differs: 'Already imported, with different values',
  rejected: 'Rejected',
  deferred: 'Not reached',
};

/** Why a row is rejected. */
export const rejections: Readonly<Record<string, string>> = {
  KEY_INVALID: "This key can't be imported",
  KEY_TAKEN: 'Another license has this key',
  FIELD_INVALID: 'Invalid value',
  EMAIL_MISSING: 'The customer has no email address',
  CLIENT_EMAIL_TAKEN: 'This email address belongs to another account',
  PLAN_NOT_FOUND: 'There is no plan with this name',
  STATUS_UNKNOWN: 'Unknown status',
  DATE_INVALID: 'Invalid date. Use 2026-12-31.',
  END_UNKNOWN: 'No expiry date or term',
  END_TOO_FAR: 'Expires too far in the future',
  LICENSE_EXISTS: 'Another license has this reference',
  SERVICES_REQUIRED: 'No services',
  CLIENT_QUOTA_REACHED: 'Customer limit reached',
  PROJECT_QUOTA_REACHED: 'Project limit reached',
  LICENSE_QUOTA_REACHED: 'License limit reached',
  MACHINE_QUOTA_REACHED: 'Machine limit reached',
  TOO_MANY_REQUESTS: 'Too many conflicts with other accounts. Try again in an hour.',
};
