export const recovery = {
  forgotTitle: 'Reset your password',
  forgotDetails: "We'll email you a link to choose a new one.",
  send: 'Send link',
  sent: 'Check your email',
  sentDetails:
    'If this address can sign in, a link is on its way. It works once within 60 minutes. Look in your spam folder too.',
  again: 'Request a new link',
  back: 'Back to sign-in',

  resetTitle: 'Choose a new password',
  resetDetails: 'This signs you out everywhere. Second factors stay.',
  reset: 'Change password',
  done: 'Password changed',
  doneDetails: 'Sign in with your new password.',
  keys: 'API keys you created still work. Delete any that somebody else may know:',

  confirmTitle: 'Confirm your email address',
  confirmDetails: 'Press the button to confirm that this address is yours.',
  confirm: 'Confirm address',
  confirmed: (email: string) => `${email} is confirmed`,
  confirmedDetails: 'Use it to sign in from now on.',
  toConsole: 'Open the console',

  incomplete: 'The link is incomplete',
  incompleteDetails: 'Open the whole link from the email. After a reload, open it again.',
};
