export const search = {
  title: 'Search',
  button: 'Search',
  shortcut: 'Ctrl K',
  hint: 'Key, name, e-mail, external or machine id',
  none: 'Nothing matches',
  kinds: { license: 'License', machine: 'Machine', client: 'Client', project: 'Project' },
  page: 'Page',
};
