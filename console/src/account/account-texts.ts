export const settings = 'Settings';

export const sessions = {
  title: 'Sessions',
  details: 'The browsers and programs in which you are logged in.',
  program: 'Program',
  unknown: 'Unknown',
  address: 'Address',
  created: 'Logged in',
  lastUsed: 'Last used',
  current: 'This session',
  end: 'End',
  endTitle: 'End this session?',
  endDetails: 'It is logged out at its next request.',
  ended: 'Session ended successfully',
  endOthers: 'Sign out everywhere else',
  othersEnded: 'All other sessions ended successfully',
};
