/** The texts of the page that lists events. */
export const eventList = {
  details: 'Everything that happened in this account.',
  export: 'Export JSON lines',
  exportFile: 'events.ndjson',
  type: 'Type',
  any: 'Any',
  from: 'From',
  to: 'To',
  at: 'Time',
  event: 'Event',
  subject: 'Subject',
  actor: 'By',
  otherActor: 'Someone else',
  data: 'Details',
  filtered: {
    subject: 'Showing only one record.',
    actor: 'Showing only one person, API key or machine.',
  },
  none: 'No events match',
  noneSoFar: 'No events match so far. Show more to keep looking.',
};

/** The names of the fields in an event. */
export const fields: Record<string, string> = {
  name: 'Name',
  email: 'Email',
  product: 'Product',
  duration: 'Term (months)',
  days: 'Days',
  services: 'Services',
  expiresAt: 'Expires',
  status: 'Status',
  plan: 'Plan',
  maxMachines: 'Seats',
  leaseSeconds: 'Floating (seconds)',
  updatesUntil: 'Updates until',
  updatesDays: 'Days of updates',
  perpetual: 'Perpetual',
  endIsFixed: 'Fixed expiry date',
  release: 'App can free its own seat',
  oncePerMachine: 'One per machine',
  entitlements: 'Entitlements',
  externalId: 'Your reference',
  metadata: 'Notes',
  role: 'Role',
  url: 'URL',
  types: 'Events',
  description: 'Description',
  enabled: 'On',
  subject: 'Subject',
  text: 'Text',
  replyTo: 'Replies to',
};

export const yes = 'Yes';
export const no = 'No';
