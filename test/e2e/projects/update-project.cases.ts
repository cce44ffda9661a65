import { ENGINES } from '../../engines.js';
import { createClient, createProject, NOBODYS } from '../developer.js';
import { useApp, useDeveloper } from '../use-app.js';

describe.each(ENGINES)('PATCH /projects/:id on %s', (engine) => {
  const app = useApp(engine);
  const ada = useDeveloper(app);
  let project: { _id: string };

  beforeAll(async () => {
    ({ project } = await createProject(app, ada, (await createClient(app, ada))._id));
  });

  const rename = (changes: object) => app.patch(`/projects/${project._id}`, changes, ada);
  const read = async () => (await app.get(`/projects/${project._id}`, ada)).body;

  it('200: renames the project, and changes nothing else', async () => {
    const before = await read();
    app.clock.advance({ seconds: 1 });
    const response = await rename({ name: '  Gift shop ' });

    expect(response.status).toBe(200);
    expect(response.body).toEqual({
      message: 'Project updated successfully',
      project: { ...before, name: 'Gift shop', updatedAt: app.clock.now().toISOString() },
    });
    expect(await read()).toEqual(response.body.project);
  });

  it('200: changes nothing where there is no name', async () => {
    const before = await read();
    app.clock.advance({ seconds: 1 });
    const response = await rename({});

    expect(response.status).toBe(200);
    expect(response.body.project).toEqual(before);
  });

  it.each([null, '', '  '])('400: says "Project name required" for %j', async (name) => {
    const before = await read();
    const response = await rename({ name });

    expect(response.status).toBe(400);
    expect(response.body.message).toBe('Project name required');
    expect(await read()).toEqual(before);
  });

  it.each([
    ['a name of 201 characters', { name: 'x'.repeat(201) }, 'name'],
    ['a name that is an operator', { name: { $ne: null } }, 'name'],
    ['the name of the field on creation', { name: 'New', projectName: 'New' }, 'projectName'],
    ['another client', { name: 'New', client: NOBODYS }, 'client'],
    ['another owner', { owner: NOBODYS }, 'owner'],
    ['a stored count', { licensesCount: 0 }, 'licensesCount'],
    ['an operator', { $set: { owner: NOBODYS } }, '$set'],
    ['a method of every object', { hasOwnProperty: 1 }, 'hasOwnProperty'],
  ])('400: rejects %s by name', async (_case, changes, field) => {
    const before = await read();
    const response = await rename(changes);

    expect(response.status).toBe(400);
    expect(response.body.message).toBe('Validation error');
    expect(Object.keys(response.body.errors)).toEqual([field]);
    expect(await read()).toEqual(before);
  });
});
