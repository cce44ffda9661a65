/** The names of the sample data, used to recognize it. */
export const sample = {
  client: 'Sample customer',
  plan: 'Sample: Team, 1 year',
  project: 'Sample app',
  product: 'com.example.sample-app',
  machine: 'Sample laptop',
  suspended: 'Sample: invoice unpaid',
  revoked: 'Sample: refunded',
};

/** The texts about the sample data. */
export const sampleTexts = {
  add: 'Add sample data',
  addDetails:
    'Or look around first with sample data: one customer with five licenses. You can remove it at any time.',
  added: 'Added sample data',
  title: 'Sample data',
  details: (client: string) =>
    `${client}, its licenses and one plan are samples. Removing them changes nothing else.`,
  remove: 'Remove sample data',
  removed: 'Removed sample data',
};
