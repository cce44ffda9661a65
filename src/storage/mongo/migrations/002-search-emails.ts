import { mongo } from 'mongoose';
import { giveSearchForms } from './search-forms.js';
import type { Migration } from './migration.js';

const INDEX_NOT_FOUND = 27;

/** Clients are searched by the search form of their e-mail address instead of the address itself. */
export const searchEmails: Migration = {
  name: 'search-emails',
  schema: 2,
  async change(database) {
    await giveSearchForms(database, 'email', 'searchEmail');
    await dropIndexOfEmails(database);
  },
};

async function dropIndexOfEmails(database: mongo.Db): Promise<void> {
  try {
    await database.collection('clients').dropIndex('owner_1_email_1');
  } catch (error) {
    if (error instanceof mongo.MongoServerError && error.code === INDEX_NOT_FOUND) return;
    throw error;
  }
}
