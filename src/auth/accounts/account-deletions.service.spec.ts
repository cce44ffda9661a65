import { FakeClock } from '../../../test/fake-clock.js';
import type { AccountDeletionRepository } from './account-deletion.repository.js';
import type { DeletedLicensesRepository } from '../../shared/deletion/deleted-licenses.repository.js';
import { AccountDeletionsService } from './account-deletions.service.js';
import type { UsersRepository } from './users.repository.js';

/** An account with two projects, a batch of licenses of each, and two batches of clients; records the calls in order. */
function anAccount({
  isActive = false,
  isActivatedAfter = Infinity,
  createsMeanwhile = false,
} = {}) {
  const done: string[] = [];
  let [projects, left, clients] = [2, 0, 2];
  const users = {
    findByEmail: async (email: string) => (email === 'ada@studio.example' ? { _id: 'ada' } : null),
    disable: async () => done.push('disable'),
  };
  const deletion: AccountDeletionRepository = {
    hasActiveLicenses: async () => isActive,
    deleteProject: async (_user, keepsActive) => {
      if (projects === 0) return 'no_projects';
      if (keepsActive && done.length > isActivatedAfter) return 'has_active_licenses';
      projects -= 1;
      left += 1;
      done.push('project');
      return 'deleted';
    },
    deleteClients: async () => {
      if (clients === 0) return 'no_clients';
      clients -= 1;
      done.push('clients');
      return 'deleted';
    },
    deleteEmpty: async () => {
      if (createsMeanwhile && done.at(-1) === 'clients' && !done.includes('created')) {
        done.push('created');
        [projects, clients] = [1, 1];
        return 'has_clients';
      }
      done.push('account');
      return 'deleted';
    },
  };
  const deletedLicenses: DeletedLicensesRepository = {
    removeSome: async () => {
      if (left === 0) return 'nothing_left';
      left -= 1;
      done.push('licenses');
      return 'removed';
    },
  };
  const service = new AccountDeletionsService(
    users as unknown as UsersRepository,
    deletion,
    deletedLicenses,
    new FakeClock(),
  );
  return {
    done,
    delete: (withLicenses = false, email = 'ada@studio.example') =>
      service.delete(email, withLicenses),
  };
}

const EVERYTHING = [
  ...['disable', 'project', 'licenses', 'project', 'licenses'],
  ...['clients', 'clients', 'account'],
];

describe('AccountDeletionsService', () => {
  it('disables the account first, and deletes it last', async () => {
    const account = anAccount();

    expect(await account.delete()).toBe('deleted');
    expect(account.done).toEqual(EVERYTHING);
  });

  it('leaves an account with active licenses unchanged, unless told to delete them', async () => {
    const account = anAccount({ isActive: true });

    expect(await account.delete()).toBe('has_active_licenses');
    expect(account.done).toEqual([]);
    expect(await account.delete(true)).toBe('deleted');
    expect(account.done).toEqual(EVERYTHING);
  });

  it('stops where a license is activated meanwhile, unless told to delete it', async () => {
    const account = anAccount({ isActivatedAfter: 1 });

    expect(await account.delete()).toBe('activated_meanwhile');
    expect(account.done).toEqual(['disable', 'project', 'licenses']);
    expect(await account.delete(true)).toBe('deleted');
    expect(account.done.at(-1)).toBe('account');
  });

  it('deletes records that an access token was used to create meanwhile', async () => {
    const account = anAccount({ createsMeanwhile: true });

    expect(await account.delete()).toBe('deleted');
    const last = ['created', 'project', 'licenses', 'clients', 'account'];
    expect(account.done.slice(-5)).toEqual(last);
  });

  it('does nothing for an unknown account', async () => {
    const account = anAccount();

    expect(await account.delete(true, 'bob@studio.example')).toBe('not_found');
    expect(account.done).toEqual([]);
  });
});
