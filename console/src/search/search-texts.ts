export const search = {
  title: 'Search',
  button: 'Search',
  shortcut: 'Ctrl K',
  hint: 'Key, name, e-mail address or external id',
  /** Said where there is nothing to show. */
  empty: 'Paste a license key, or type a part of a name or an e-mail address.',
  none: 'Nothing matches',
  kinds: { license: 'License', client: 'Client', project: 'Project' },
  page: 'Page',
};
