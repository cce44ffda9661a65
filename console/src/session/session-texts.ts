/** The texts of signing in and creating accounts. */
export const session = {
  name: 'Name',
  email: 'Email',
  password: 'Password',
  passwordHint: ({ minLength }: { minLength: number }) =>
    `At least ${minLength} characters, and not a common password.`,
  signIn: 'Sign in',
  forgot: 'Forgot your password?',
  signOut: 'Sign out',
  createAccount: 'Create account',
  createYourAccount: 'Create your account',
  firstAccount: 'This service has no account yet. Yours is the first.',
  showPassword: 'Show',
  hidePassword: 'Hide',
  hasNoAccount: 'New here?',
  hasAccount: 'Already have an account?',
  closed: 'Registration is closed',
  closedDetails: 'Ask your administrator for an account.',
  expired: 'Sign in to continue.',
} as const;
