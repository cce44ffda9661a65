import { type AccountId, newOwned } from '../shared/ids.js';
import { collection, type RecordOf, field } from '../storage/collection.js';
import type { Filter } from '../storage/filter.js';
import { searchForm } from '../shared/fields/search-form.js';
import { DomainError } from '../shared/errors/domain-error.js';

const FIELDS = {
  _id: field.id(),
  name: field.text(),
  /** In normal form; unique across all clients. */
  email: field.text(),
  /** The {@link searchForm} of the name and of the email address. */
  searchName: field.text(),
  searchEmail: field.text(),
  /** The account that created it, and the only one that can see it. */
  owner: field.id<AccountId>(),
  /** Changes whenever a project is added or deleted, so a client with projects cannot be deleted. */
  projectsCount: field.integer(),
  createdAt: field.time(),
  updatedAt: field.time(),
};

/** A client: an organization or person that an account delivers projects to (specification, section 2). */
export type Client = RecordOf<typeof FIELDS>;

export const CLIENTS = collection<Client>('clients', {
  fields: FIELDS,
  unique: [['email']],
  indexes: [
    ['owner', 'createdAt', '_id'],
    ['owner', 'searchName', '_id'],
  ],
  account: 'owner',
  cached: true,
});

/** The fields of a client that its owner sets. */
export type ClientFields = Pick<Client, 'name' | 'email'>;

/** The stored form of these fields. */
export const withSearchForms = ({ name, email }: ClientFields) => ({
  name,
  email,
  searchName: searchForm(name),
  searchEmail: searchForm(email),
});

export const newClient = (accountId: AccountId, fields: ClientFields, now: Date): Client => ({
  ...newOwned(accountId, now),
  ...withSearchForms(fields),
  projectsCount: 0,
});

export function changedClient(client: Client, changes: Partial<ClientFields>, now: Date): Client {
  const { name = client.name, email = client.email } = changes;
  return { ...client, ...withSearchForms({ name, email }), updatedAt: now };
}

/**
 * The clients of an account, optionally filtered.
 *
 * @param search a part of a name or email address in its {@link searchForm}
 */
export const clientsOf = (accountId: AccountId, search: string | undefined): Filter<Client> =>
  search === undefined
    ? { owner: accountId }
    : {
        owner: accountId,
        or: [{ searchName: { contains: search } }, { searchEmail: { contains: search } }],
      };

export const clientEmailTaken = (field = 'email') =>
  new DomainError('CLIENT_EMAIL_TAKEN', { field });
