import { titles } from '../app/navigation-texts.js';

export const appearance = {
  title: 'Appearance',
  theme: 'Theme',
  hint: 'Applies to this browser only.',
  themes: { system: 'Same as your device', light: 'Light', dark: 'Dark' },
};

export const changeEmail = {
  title: 'Change email',
  new: 'New email',
  hint: "We'll email a link to this address. Nothing changes until you open it. Enter your current address to confirm it.",
  submit: 'Send link',
  sent: (email: string) => `Sent a link to ${email}. It works for 24 hours.`,
};

export const signingKeys = {
  title: titles.signingKeys,
  details:
    'Apps that verify certificates offline contain your issuer and both public keys. These are safe to share.',
  integrate: 'Get example code that includes them',
  ids: 'IDs',
  issuer: 'Issuer',
  current: 'Current key',
  next: 'Next key',
  both: 'For your apps',
  bothDetails: 'The issuer and both keys, in the format every SDK accepts.',
  copy: 'Copy keys',
  address: 'For your servers',
  addressDetails: 'Your servers can fetch the keys from this URL. No credentials needed.',
  copyAddress: 'Copy URL',
  rotate: 'Rotate keys',
  rotateTitle: 'Rotate your signing keys?',
  rotateConsequence:
    "The next key starts signing now, and a new next key is created. Apps that contain both keys keep working. After a second rotation, apps that contain neither key need an update. This can't be undone.",
  rotated: 'Rotated the signing keys',
  compromised: 'The current key may have leaked',
  compromisedHint:
    'Removes it from the published keys immediately. Installed apps still accept it until you ship an update.',
};
