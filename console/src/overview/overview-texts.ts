export const checklist = {
  title: 'Get started',
  dismiss: 'Hide checklist',
  show: 'Show the get-started checklist',
  done: '(done)',
  open: '(to do)',
  client: 'Add a customer',
  clientDetails: 'A company or person you license software to.',
  addClient: 'Add customer',
  license: 'Issue a license',
  issue: 'Issue license',
  licenseDetails:
    'For a project: the product this customer licenses from you. They enter its key to activate your software.',
  integrate: 'Integrate your app',
  integrateDetails: 'Paste a working example into your app. Done when the first machine activates.',
};

export const failingWebhooks = {
  title: 'Failing webhooks',
};
