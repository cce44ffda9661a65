import { type Client, withSearchForms } from '../../src/clients/client.js';
import { newAccountId } from '../../src/shared/ids/account-id.js';
import { newRecord } from '../../src/shared/ids/object-id.js';
import { at } from './time.js';

export function aClient(fields: Partial<Client> = {}): Client {
  const record = newRecord();
  return {
    ...record,
    ...withSearchForms({
      name: 'Société Générale & Söhne',
      email: `client-${record._id}@example.com`,
      ...fields,
    }),
    owner: newAccountId(),
    projectsCount: 0,
    createdAt: at(0),
    updatedAt: at(0),
    ...fields,
  };
}
