export const recovery = {
  forgotTitle: 'Reset your password',
  forgotDetails: "We'll email you a link to choose a new one.",
  send: 'Send link',
  sent: 'Check your email',
  sentDetails:
    'If this address can sign in, a link is on its way. It works once and expires in 60 minutes. Check your spam folder too.',
  again: 'Request a new link',
  back: 'Back to sign-in',

  resetTitle: 'Choose a new password',
  resetDetails: 'This signs you out everywhere. Second factors stay.',
  reset: 'Change password',
  done: 'Password changed',
  doneDetails: 'Sign in with your new password.',
  keys: 'API keys you created still work. Delete any that someone else may know:',

  confirmTitle: 'Confirm your email address',
  confirmDetails: 'Press the button to confirm that this address is yours.',
  confirm: 'Confirm address',
  confirmed: (email: string) => `${email} is confirmed`,
  confirmedDetails: 'From now on, use it to sign in.',
  toConsole: 'Open the console',

  incomplete: 'The link is incomplete',
  incompleteDetails:
    'Copy the whole link from the email. If you reloaded this page, open the link again.',
};
