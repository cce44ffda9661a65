import { giveSearchForms } from './search-forms.js';
import type { Migration } from './migration.js';

/**
 * Instances of 0.1, which know no search form of e-mail addresses, may have stored or changed clients beside
 * instances of 0.2, after the migration that gave every client one.
 */
export const correctSearchForms: Migration = {
  name: 'correct-search-forms',
  schema: 3,
  change: (database) => giveSearchForms(database, 'email', 'searchEmail', {}),
};
