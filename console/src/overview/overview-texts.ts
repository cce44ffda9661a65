export const checklist = {
  title: 'What comes first',
  dismiss: 'Dismiss the checklist',
  done: '(done)',
  open: '(to do)',
  client: 'A client',
  clientDetails: 'A customer of yours, with a name and an e-mail address.',
  project: 'A project',
  projectDetails: 'What the client has of you, such as one of your products.',
  license: 'A license',
  licenseDetails: 'Its key activates your software on the machine of your client.',
  integrate: 'Integrate your software',
  integrateDetails: 'A whole program in your language. This is done with the first activation.',
};
