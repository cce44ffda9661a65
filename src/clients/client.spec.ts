import { aClient } from '../../test/builders/client.builder.js';
import { at } from '../../test/builders/time.js';
import { newAccountId } from '../shared/ids/account-id.js';
import { NOT_STORED } from '../storage/collection.js';
import { changedClient, newClient } from './client.js';

describe('a client', () => {
  it('begins without projects, with the search forms of its name and address', () => {
    const owner = newAccountId();
    expect(newClient(owner, { name: 'ACME Ltd', email: 'office@acme.test' }, at(1))).toEqual({
      _id: expect.any(String) as string,
      version: NOT_STORED,
      name: 'ACME Ltd',
      searchName: 'acme ltd',
      email: 'office@acme.test',
      searchEmail: 'office@acme.test',
      owner,
      projectsCount: 0,
      createdAt: at(1),
      updatedAt: at(1),
    });
  });

  it('takes the given fields with their search forms, and keeps all others', () => {
    const client = aClient({ projectsCount: 3, version: 7 });
    expect(changedClient(client, { name: 'ΟΔΟΣ' }, at(5))).toEqual({
      ...client,
      name: 'ΟΔΟΣ',
      searchName: 'οδοσ',
      updatedAt: at(5),
    });
    expect(changedClient(client, { email: 'new@acme.test' }, at(5))).toEqual({
      ...client,
      email: 'new@acme.test',
      searchEmail: 'new@acme.test',
      updatedAt: at(5),
    });
  });

  it('was changed now, though its fields are set to what they are', () => {
    const client = aClient();
    expect(changedClient(client, client, at(5))).toEqual({ ...client, updatedAt: at(5) });
  });
});
