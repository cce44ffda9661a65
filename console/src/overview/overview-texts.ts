export const checklist = {
  title: 'Get started',
  dismiss: 'Hide checklist',
  done: '(done)',
  open: '(to do)',
  client: 'Add a customer',
  clientDetails: 'A company or person you license software to.',
  project: 'Add a project for them',
  projectDetails: 'The product this customer licenses from you.',
  license: 'Issue a license',
  licenseDetails: 'Your customer enters its key to activate your software.',
  integrate: 'Integrate your app',
  integrateDetails: 'Paste a working example into your app. Done when the first machine activates.',
};
