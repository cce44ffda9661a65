import { type Client, withSearchForms } from '../../src/clients/client.js';
import { newAccountId } from '../../src/shared/ids/account-id.js';
import { newObjectId } from '../../src/shared/ids/object-id.js';
import { NOT_STORED } from '../../src/storage/collection.js';
import { at } from './time.js';

export function aClient(fields: Partial<Client> = {}): Client {
  const _id = newObjectId();
  return {
    _id,
    version: NOT_STORED,
    ...withSearchForms({
      name: 'Société Générale & Söhne',
      email: `client-${_id}@example.com`,
      ...fields,
    }),
    owner: newAccountId(),
    projectsCount: 0,
    createdAt: at(0),
    updatedAt: at(0),
    ...fields,
  };
}
