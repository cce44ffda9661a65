const isApple = /Mac|iPhone|iPad/.test(navigator.userAgent);

const shortcut = isApple ? '⌘ K' : 'Ctrl K';

export const search = {
  title: 'Search',
  button: 'Search',
  shortcut,
  hint: 'Key, name, email, reference or machine ID',
  tip: 'Paste a key on any page to find it. Press ? for all shortcuts.',
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
  action: 'Action',
  recent: 'Recent',
  shortcutsTitle: 'Keyboard shortcuts',
  shortcuts: [
    [shortcut, 'Search, or run an action'],
    ['/', 'Search'],
    [isApple ? '⌘ V' : 'Ctrl V', 'Search for the copied key, name or email'],
    ['Enter', 'Open the first result'],
    ['Esc', 'Close a dialog or menu'],
    ['?', 'Show this list'],
  ],
} as const;
