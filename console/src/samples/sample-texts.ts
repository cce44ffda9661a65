/** The names of the sample data, by which it is recognized. */
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
  addDetails: 'Or look around first: one customer with five licenses, which you can remove again.',
  added: 'Added sample data',
  title: 'Sample data',
  details: (client: string) =>
    `${client}, its licenses and one plan are samples. Everything else stays when you remove them.`,
  remove: 'Remove sample data',
  removed: 'Removed sample data',
};
