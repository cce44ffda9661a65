import type { Client } from '../../src/clients/client.js';
import { newAccountId } from '../../src/shared/ids/account-id.js';
import { newObjectId } from '../../src/shared/ids/object-id.js';
import { at } from './time.js';

export function aClient(fields: Partial<Client> = {}): Client {
  const _id = newObjectId();
  return {
    _id,
    name: 'Société Générale & Söhne',
    email: `client-${_id}@example.com`,
    owner: newAccountId(),
    createdAt: at(0),
    updatedAt: at(0),
    ...fields,
  };
}
