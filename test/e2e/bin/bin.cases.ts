import { Store } from '../../../src/storage/store.js';
import { PROJECT_TASKS } from '../../../src/projects/project-task.js';
import { LAPTOP } from '../developer.js';
import { expectResponse } from '../responses.js';
import { useDeveloper } from '../use-app.js';

describe('The bin', () => {
  const [app, ada] = useDeveloper();

  // The project worker continues after the response.
  const settle = async () => {
    const store = app.nest.get(Store, { strict: false });
    while ((await store.count(PROJECT_TASKS, {})) > 0) await new Promise(setImmediate);
  };

  it('stores a deleted client with its projects, licenses and machines for a restore; the keys are invalid meanwhile', async () => {
    const client = await app.createClient(ada);
    const terms = { externalId: 'order-1', metadata: { note: 'x' }, maxMachines: 3 };
    const { project, license } = await app.createProject(ada, client._id, terms);
    await app.activate(license, LAPTOP);
    const paths = [
      ...[`/clients/${client._id}`, `/projects/${project._id}`, `/licenses/${license._id}`],
      ...[`/licenses/${license._id}/machines`, '/dashboard', `/licenses?externalId=order-1`],
    ];
    const read = () => Promise.all(paths.map(async (path) => (await app.get(path, ada)).body));
    const before = await read();

    const deletion = await app.delete(`/clients/${client._id}?withLicenses=true`, ada);
    expect(deletion.status).toBe(204);
    await settle();
    expect(await app.validationOf(license, LAPTOP)).toBe('invalid');
    expect((await app.get(paths[2]!, ada)).status).toBe(404);
    const { data, total } = (await app.get('/bin?total=true&kind=client&search=ACME', ada)).body;
    expect({ data, total }).toMatchObject({
      data: [{ _id: client._id, kind: 'client', deletedBy: { type: 'user', id: ada._id } }],
      total: 1,
    });

    const headers = { 'Idempotency-Key': 'restore-of-a-client' };
    const restore = () => app.post(`/bin/${client._id}/restore`, undefined, { ...ada, headers });
    for (const _repeated of [1, 2]) {
      expectResponse(await restore(), 200, {
        message: 'Restored',
        kind: 'client',
        _id: client._id,
      });
    }
    await settle();
    expect(await read()).toEqual(before);
    expect(await app.validationOf(license, LAPTOP)).toBe('active');
    const restored = ['license.restored', 'license.deleted'];
    const types = (await app.eventsOf(ada, license)).map(({ type }: { type: string }) => type);
    expect(types.slice(0, 2)).toEqual(restored);
  });
});
