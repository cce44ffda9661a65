export const search = {
  title: 'Search',
  button: 'Search',
  shortcut: 'Ctrl K',
  hint: 'Key, name, e-mail, reference or machine ID',
  none: 'No results',
  incompleteKey: 'This is not a complete license key',
  kinds: {
    license: 'License',
    machine: 'Machine',
    client: 'Customer',
    project: 'Project',
    plan: 'Plan',
  },
  page: 'Page',
};
