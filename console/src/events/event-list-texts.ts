/** The texts of the page that lists events. */
export const eventList = {
  details: 'What happened in this account, the newest first.',
  type: 'Type',
  any: 'Any',
  at: 'When',
  event: 'Event',
  subject: 'What',
  actor: 'Who',
  data: 'Details',
  filtered: { subject: 'Of one record only.', actor: 'By one person or program only.' },
  none: 'No event matches',
  noneSoFar: 'No event matches among those that were read so far',
};

/** What a change has changed, by the name of the field. */
export const fields: Record<string, string> = {
  name: 'Name',
  email: 'E-mail',
  product: 'Product',
  duration: 'Duration (months)',
  days: 'Days',
  services: 'Services',
  expiresAt: 'Expires',
  status: 'Status',
  plan: 'Plan',
  maxMachines: 'Seats',
  leaseSeconds: 'Lease (seconds)',
  release: 'Machines may release their own seats',
  oncePerMachine: 'Once per machine',
  entitlements: 'Entitlements',
  externalId: 'External id',
  metadata: 'Metadata',
  role: 'Role',
  url: 'Address',
  types: 'Events',
  description: 'Description',
};
