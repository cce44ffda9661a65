/** Why a passkey was not used. */
export const passkeyErrors = {
  unused: 'No passkey was used. Try again, or choose another way.',
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
