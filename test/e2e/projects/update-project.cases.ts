import { createClient, createProject, NOBODYS } from '../developer.js';
import { expectInvalid, expectResponse } from '../expect-response.js';
import { useApp, useDeveloper } from '../use-app.js';

describe('PATCH /projects/:id', () => {
  const app = useApp();
  const ada = useDeveloper(app);
  let project: { _id: string };

  beforeEach(async () => {
    ({ project } = await createProject(app, ada, (await createClient(app, ada))._id));
    app.clock.advance({ seconds: 1 });
  });

  const update = (changes: object) => app.patch(`/projects/${project._id}`, changes, ada);
  const read = async () => (await app.get(`/projects/${project._id}`, ada)).body;

  it('200: renames the project, and changes nothing else; nothing at all where there is no name', async () => {
    expect((await update({})).body.project).toEqual(project);
    const { status, body } = await update({ name: '  Gift shop ' });

    expectResponse({ status, body }, 200, {
      message: 'Project updated successfully',
      project: { ...project, name: 'Gift shop', updatedAt: app.clock.now().toISOString() },
    });
    expect(await read()).toEqual(body.project);
  });

  it.each([null, ' '])('400: says "Project name required" for %j', async (name) => {
    const { status, body } = await update({ name });

    expect([status, body.message]).toEqual([400, 'Project name required']);
    expect(await read()).toEqual(project);
  });

  it.each([
    ['name', { name: 'x'.repeat(201) }],
    ['projectName', { name: 'New', projectName: 'New' }],
    ['client', { name: 'New', client: NOBODYS }],
  ])('400: rejects `%s` by name: %j', async (field, changes) => {
    expectInvalid(await update(changes), field);
    expect(await read()).toEqual(project);
  });
});
