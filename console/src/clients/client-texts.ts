/** The texts about the personal data of a customer. */
export const personalData = {
  action: 'Personal data',
  title: (name: string) => `Personal data of ${name}`,
  details:
    'What this service stores about the customer: name, email address and the events about them.',
  download: 'Download personal data',
  file: (id: string) => `personal-data-${id}.json`,
  erase: 'Erase',
  eraseDetails:
    'Replaces the name and email address everywhere, including in events and webhook deliveries. Licenses keep ' +
    "working. This can't be undone.",
  erased: 'Erased the personal data',
};
