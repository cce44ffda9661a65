import { dropIndex } from './drop-index.js';
import { giveSearchForms } from './search-forms.js';
import type { Migration } from './migration.js';

/** Clients are searched by the search form of their e-mail address instead of the address itself. */
export const searchEmails: Migration = {
  name: 'search-emails',
  schema: 2,
  async change(database) {
    await giveSearchForms(database, 'email', 'searchEmail');
    await dropIndex(database.collection('clients'), 'owner_1_email_1');
  },
};
