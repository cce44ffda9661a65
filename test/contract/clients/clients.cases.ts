import { newAccountId } from '../../../src/shared/ids/account-id.js';
import { newObjectId } from '../../../src/shared/ids/object-id.js';
import { aClient } from '../../builders/client.builder.js';
import { at } from '../../builders/time.js';
import { engines } from '../engines.js';
import { twenty } from '../race.js';
import { useStore } from '../use-store.js';

describe.each(engines)('clients on $name', ({ open }) => {
  const { store, stored } = useStore(open);

  it('finds a client of its owner as it was stored', async () => {
    const client = await stored.client();
    expect(await store.clients.findOwned(client._id, client.owner)).toStrictEqual(client);
  });

  it('finds no client of another owner', async () => {
    const client = await stored.client();
    expect(await store.clients.findOwned(client._id, newAccountId())).toBeNull();
    expect(await store.clients.findOwned(newObjectId(), client.owner)).toBeNull();
  });

  it('accepts an e-mail address once, whoever owns the client', async () => {
    const { email, owner } = await stored.client();
    for (const second of [aClient({ email }), aClient({ email, owner })]) {
      expect(await store.clients.create(second)).toBe('email_taken');
      expect(await store.clients.findOwned(second._id, second.owner)).toBeNull();
    }
  });

  it('creates exactly one of 20 simultaneous clients with one e-mail address', async () => {
    const rivals = Array.from({ length: 20 }, () => aClient({ email: 'race@example.com' }));
    const outcomes = await Promise.all(rivals.map((client) => store.clients.create(client)));
    const found = await Promise.all(
      rivals.map(({ _id, owner }) => store.clients.findOwned(_id, owner)),
    );
    expect(found.filter((client) => client !== null)).toHaveLength(1);
    expect(outcomes).toStrictEqual(found.map((client) => client ?? 'email_taken'));
  });

  it('does not report a duplicate id as a taken address', async () => {
    const { _id } = await stored.client();
    await expect(store.clients.create(aClient({ _id }))).rejects.toThrow();
  });

  describe('update', () => {
    it.each([
      { name: 'Acme Ltd' },
      { email: 'renamed@example.com' },
      { name: 'Acme Group', email: 'group@example.com' },
    ])('changes %j, and nothing else but the time of the change', async (changes) => {
      const client = await stored.client();
      const changed = { ...client, ...changes, updatedAt: at(7) };
      expect(await store.clients.update(client._id, client.owner, changes, at(7))).toStrictEqual(
        changed,
      );
      expect(await store.clients.findOwned(client._id, client.owner)).toStrictEqual(changed);
    });

    it('accepts the address that the client already has', async () => {
      const { _id, owner, email } = await stored.client();
      expect(await store.clients.update(_id, owner, { email }, at(7))).toMatchObject({ email });
    });

    it('changes nothing where another client has the address, whoever owns that client', async () => {
      const { email } = await stored.client();
      const client = await stored.client();
      const changes = { name: 'Other', email };
      expect(await store.clients.update(client._id, client.owner, changes, at(7))).toBe(
        'email_taken',
      );
      expect(await store.clients.findOwned(client._id, client.owner)).toStrictEqual(client);
    });

    it("does not change another user's client, and does not tell that it exists", async () => {
      const client = await stored.client();
      const { email } = await stored.client();
      for (const changes of [{ name: 'Stolen' }, { email }, { email: client.email }]) {
        const outcome = await store.clients.update(client._id, newAccountId(), changes, at(7));
        expect(outcome).toBe('not_found');
      }
      expect(await store.clients.findOwned(client._id, client.owner)).toStrictEqual(client);
      expect(await store.clients.update(newObjectId(), client.owner, { email }, at(7))).toBe(
        'not_found',
      );
    });

    it('frees the address that it replaces', async () => {
      const { _id, owner, email } = await stored.client();
      await store.clients.update(_id, owner, { email: 'moved@example.com' }, at(7));
      await stored.client({ email });
    });

    it('gives an address to one of 20 clients that change to it at the same time', async () => {
      const clients = await twenty(() => stored.client());
      const email = 'wanted@example.com';
      const outcomes = await Promise.all(
        clients.map(({ _id, owner }) => store.clients.update(_id, owner, { email }, at(7))),
      );
      expect(outcomes.filter((outcome) => outcome !== 'email_taken')).toHaveLength(1);
      const winner = outcomes.findIndex((outcome) => outcome !== 'email_taken');
      const found = await Promise.all(
        clients.map(({ _id, owner }) => store.clients.findOwned(_id, owner)),
      );
      expect(found.findIndex((client) => client?.email === email)).toBe(winner);
    });
  });

  describe('deleteWithoutProjects', () => {
    it('deletes a client without projects, and frees its e-mail address', async () => {
      const { _id, owner, email } = await stored.client();
      expect(await store.clients.deleteWithoutProjects(_id, owner)).toBe('deleted');
      expect(await store.clients.findOwned(_id, owner)).toBeNull();
      expect(await store.clients.deleteWithoutProjects(_id, owner)).toBe('not_found');
      await stored.client({ email });
    });

    it('keeps a client that has a project', async () => {
      const client = await stored.client();
      await stored.project(client);
      const outcome = await store.clients.deleteWithoutProjects(client._id, client.owner);
      expect(outcome).toBe('has_projects');
      expect(await store.clients.findOwned(client._id, client.owner)).toStrictEqual(client);
    });

    it('deletes a client whose last project was deleted', async () => {
      const client = await stored.client();
      for (let index = 0; index < 2; index++) {
        const { project } = await stored.project(client);
        await store.projects.deleteWithLicenses(project._id, project.owner, at(7));
      }
      const outcome = await store.clients.deleteWithoutProjects(client._id, client.owner);
      expect(outcome).toBe('deleted');
    });

    it("keeps another user's client, and does not tell that it exists", async () => {
      const used = await stored.client();
      await stored.project(used);
      const unused = await stored.client();
      for (const { _id, owner } of [used, unused]) {
        const outcome = await store.clients.deleteWithoutProjects(_id, newAccountId());
        expect(outcome).toBe('not_found');
        expect(await store.clients.findOwned(_id, owner)).not.toBeNull();
      }
    });
  });
});
