/** The texts of the action that mails a license key. */
export const sendKey = {
  action: 'Send key by email',
  title: (license: string) => `Send the key of ${license}`,
  details: 'Emails the license key to the customer.',
  detailsTo: (email: string) => `Emails the license key to ${email}.`,
  done: 'The key is on its way to the customer',
};
