import { titles } from '../app/navigation-texts.js';

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
  ofTime: (program: string, time: string) => `${program} of ${time}`,
  endTitle: (program: string) => `End the session of ${program}?`,
  endDetails: 'It is logged out at its next request.',
  ended: 'Session ended successfully',
  endOthers: 'Sign out everywhere else',
  othersEnded: 'All other sessions ended successfully',
};

export const signingKeys = {
  title: titles.signingKeys,
  details:
    'Software that verifies certificates offline contains your issuer and both public keys. They are no secret.',
  integrate: 'Get a program that contains them',
  issuer: 'Issuer',
  current: 'Current key',
  next: 'Next key',
  both: 'For your programs',
  bothDetails: 'The issuer and both keys, as every SDK takes them.',
  copy: 'Copy keys',
  address: 'For your own servers',
  addressDetails: 'They may fetch the keys from this address. It needs no credentials.',
  copyAddress: 'Copy address',
  rotate: 'Rotate keys',
  rotateTitle: 'Rotate your signing keys?',
  rotateConsequence:
    'The next key signs from now on, and a new next key is created. Software that contains both keys keeps working. After two rotations, software that contains neither key needs an update. This cannot be undone.',
  compromised: 'Somebody else may have the current key',
  compromisedHint:
    'Then it is removed from the published keys at once. Software that contains it goes on accepting it: ship an update.',
};
