/** The texts of the portal's settings. */
export const portal = {
  title: 'Portal',
  details: 'A page where your customers see their licenses and release machines themselves.',
  notConfigured:
    'This service has no portal address yet. Your administrator must set PORTAL_URL first.',
  address: 'Address for your customers',
  copyAddress: 'Copy address',
  settings: 'Settings',
  enabled: 'Let customers sign in',
  name: 'Name',
  nameHint: 'The name your customers know you by.',
  supportUrl: 'Help link',
  supportUrlHint: 'An email address or an https link, such as support@example.com.',
  logo: 'Logo',
  logoHint: 'A PNG of up to 8 kB and 1,024 × 1,024 pixels.',
  removeLogo: 'Remove logo',
  showKey: 'Show license keys in full',
  showKeyHint: 'Otherwise customers see the last four characters.',
  releases: 'Releases in 30 days',
  releasesHint: 'How often customers can release machines of one license. 0 turns releases off.',
  saved: 'Portal settings saved',
  can: 'What customers can do',
  preview: 'Preview',
  canList: ({
    showKey,
    releasesPer30Days: most,
  }: {
    showKey: boolean;
    releasesPer30Days: number;
  }) => [
    'Sign in with a one-time link. They need no password.',
    `See their own licenses: project, status, expiry, machines and ${showKey ? 'the whole key' : 'the last four characters of the key'}.`,
    most === 0
      ? 'Ask you to release a machine. They cannot do it themselves.'
      : `Release a machine, up to ${most === 1 ? 'once' : `${most} times`} in 30 days for each license. Machines that release themselves count toward this limit.`,
    'Get their license key by email, if this service sends mail to customers.',
    "Nothing else: they can't change, extend or share licenses, or see other customers.",
  ],
  sample: { project: 'Your product', laptop: 'Laptop', desktop: 'Office PC' },
  link: 'Portal link',
  linkTitle: (client: string) => `Portal link for ${client}`,
  linkConsequence:
    "Anyone with the link can see this customer's licenses and release machines. It works once and expires in 15 minutes.",
  linkDetails: (client: string) => `Give this link only to ${client}. You won't see it again.`,
  create: 'Create link',
  copyLink: 'Copy link',
  linkLost: 'A link was created, but it can’t be shown again. Create another one.',
};
