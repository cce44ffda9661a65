import { titles } from '../app/navigation-texts.js';

/** Why a passkey was not used. */
export const passkeyErrors = {
  unused: 'No passkey was used. Try again, or use another way to sign in.',
  unknown: "This passkey doesn't belong to an account here. Sign in with your password.",
  elsewhere: (domain: string) => `Your passkeys only work at ${domain}.`,
};

export const proof = {
  code: 'Code from your authenticator app',
  recoveryCode: 'Recovery code',
  recoveryHint: 'One of the codes you saved when you set this up. Each works once.',
  passkey: 'Your browser asks for your passkey.',
  instead: {
    totp: 'Use your authenticator app',
    passkey: 'Use a passkey',
    recovery_code: 'Use a recovery code',
  },
};

export const stepUp = {
  title: "Confirm it's you",
  details: 'This change needs a recent confirmation. You stay confirmed for 10 minutes.',
  submit: 'Confirm',
};

export const signIn = {
  title: "Confirm it's you",
  submit: 'Sign in',
  restart: 'Use a different account',
  withPasskey: 'Sign in with a passkey',
};

export const security = {
  title: titles.security,
  details:
    'A second factor keeps others out even if they know your password. Set up two, so you can still sign in if you lose your phone.',
  required: 'Your account requires a second factor',
  requiredDetails:
    'Add a passkey or an authenticator app below. Then you can use the rest of the console.',
  never: 'Never',
};

export const passkeys = {
  title: 'Passkeys',
  details:
    'Sign in with your fingerprint, face, screen lock or a security key, without a password.',
  none: 'You have no passkeys.',
  off: 'Passkeys only work at the https address that your administrator set as PUBLIC_URL.',
  name: 'Name',
  nameHint: 'A name to recognize it by, such as the device it is stored on.',
  created: 'Added',
  lastUsed: 'Last used',
  add: 'Add passkey',
  addDetails: 'Your browser asks where to store it.',
  added: (name: string) => `Added the passkey ${name}`,
};

export const authenticator = {
  title: 'Authenticator app',
  details: 'An app on your phone shows a new code every 30 seconds.',
  since: 'Set up',
  on: 'On',
  off: 'Off',
  setUp: 'Set up app',
  setUpTitle: 'Set up your authenticator app',
  scan: 'Scan this with the app, or type in the key. Then enter the code that the app shows.',
  qrCode: 'QR code for the authenticator app',
  key: 'Key',
  copyKey: 'Copy key',
  code: 'Code from the app',
  turnOn: 'Turn on',
  added: 'Set up the authenticator app',
};

export const removal = {
  action: 'Remove',
  title: (factor: string) => `Remove ${factor}?`,
  details:
    'It no longer signs you in. Removing your last second factor also deletes your recovery codes.',
  done: (factor: string) => `Removed ${factor}`,
};

export const recoveryCodes = {
  title: 'Recovery codes',
  details: 'Use one to sign in if you lose your second factor. Each works once.',
  left: (count: number) => `${count} of 10 left`,
  needsFactor: 'You get them with your first second factor.',
  renew: 'New codes',
  renewTitle: 'Replace your recovery codes?',
  renewDetails: 'The codes you have stop working.',
  shownTitle: 'Save your recovery codes',
  shownDetails:
    "Keep them somewhere other than your phone, such as in a password manager. You won't see them again.",
  copy: 'Copy codes',
  download: 'Download',
  file: 'recovery-codes.txt',
};

export const sessions = {
  title: 'Sessions',
  details: "Where you're signed in.",
  program: 'Browser or app',
  unknown: 'Unknown',
  address: 'IP address',
  created: 'Signed in',
  lastUsed: 'Last used',
  current: 'This session',
  end: 'End',
  since: (program: string, time: string) => `${program} since ${time}`,
  endTitle: (program: string) => `End the session on ${program}?`,
  endDetails: 'It is signed out on its next request.',
  ended: 'Session ended',
  endOthers: 'Sign out everywhere else',
  othersEnded: 'Signed out everywhere else',
};

export const policy = {
  title: 'Everyone in the account',
  optional: 'Each member decides whether to use a second factor.',
  required: 'Every member needs a second factor. API keys are not affected.',
  needsFactor: 'To require one for everyone, set up your own first.',
  require: 'Require a second factor',
  requireTitle: 'Require a second factor for everyone?',
  requireDetails: "Members without one can't do anything else until they set one up.",
  relax: 'Make it optional',
  relaxTitle: 'Make second factors optional?',
  relaxDetails: "Members can remove theirs, and new members don't need one.",
  requiredDone: 'Second factors are now required',
  relaxedDone: 'Second factors are now optional',
  allReady: 'All members have one.',
  notReady: 'Not ready yet:',
};
