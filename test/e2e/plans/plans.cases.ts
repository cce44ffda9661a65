import { CountedEvents } from '../../../src/events/counted-events.service.js';
import { START } from '../../fake-clock.js';
import { expectError, expectInvalid, expectResponse, statusesOf } from '../responses.js';
import { DESKTOP, LAPTOP } from '../developer.js';
import { useDeveloper } from '../use-app.js';

const TEAM = {
  ...{ days: 30, services: ['Hosting'], maxMachines: 5, leaseSeconds: 600, release: 'self' },
  entitlements: ['team'],
};

describe('The plans', () => {
  const [app, ada] = useDeveloper();
  let count = 0;

  const post = (body: object) => app.post('/plans', body, ada);
  const create = async (fields: object = {}) =>
    (await post({ name: `Plan ${count++}`, ...TEAM, ...fields })).body.plan;
  const patch = ({ _id }: { _id: string }, changes: object) =>
    app.patch(`/plans/${_id}`, changes, ada);
  const projectOf = async (product?: string) => {
    const client = await app.createClient(ada);
    const fields = product === undefined ? {} : { product };
    return (await app.createProject(ada, client._id, fields)).project;
  };
  const issue = (project: { _id: string }, terms: object) =>
    app.post(`/projects/${project._id}/licenses`, terms, ada);

  it('are created, read, listed, changed and deleted', async () => {
    const response = await post({ name: ' Team ', duration: 12, services: ['Domain', 'Domain'] });
    const plan = {
      _id: expect.stringMatching(/^[0-9a-f]{24}$/),
      ...{ name: 'Team', product: null, duration: 12, days: null, perpetual: false },
      ...{ services: ['Domain'], maxMachines: 1, leaseSeconds: null, release: 'owner' },
      ...{
        entitlements: [],
        updatesDays: null,
        oncePerMachine: false,
        createdAt: START,
        updatedAt: START,
      },
    };
    expectResponse(response, 201, { message: 'Plan created', plan });
    const { plan: created } = response.body;
    expectError(await post({ name: 'Team', ...TEAM }), 'PLAN_NAME_TAKEN');
    app.clock.advance({ seconds: 1 });
    const changes = { name: 'Crew', days: 14, oncePerMachine: true, product: 'shop' };
    const updatedAt = app.clock.now().toISOString();
    const changed = { ...created, ...changes, duration: null, updatedAt };
    expectResponse(await patch(created, changes), 200, {
      ...{ message: 'Plan updated', plan: changed },
    });
    expect((await app.get(`/plans/${created._id}`, ada)).body).toEqual(changed);
    const other = await create();
    const { body } = await app.get('/plans?limit=1', ada);
    expect(body.data).toEqual([other]);
    expect((await app.get(`/plans?cursor=${body.nextCursor}`, ada)).body.data).toEqual([changed]);
    expect((await app.get('/plans?name=Crew&total=true', ada)).body).toMatchObject({
      ...{ data: [changed], total: 1 },
    });
    expect((await app.get('/plans?name=crew', ada)).body.data).toEqual([]);
    expectError(await patch(other, { name: 'Crew' }), 'PLAN_NAME_TAKEN');
    expect((await app.delete(`/plans/${created._id}`, ada)).status).toBe(204);
    expectError(await app.get(`/plans/${created._id}`, ada), 'PLAN_NOT_FOUND');
    expect((await patch(other, { name: 'Crew' })).status).toBe(200);
  });

  it('400 for an invalid plan', async () => {
    expectError(await post(TEAM), 'PLAN_NAME_REQUIRED');
    const details = 'Send one of duration (1 to 12 months), days or perpetual.';
    for (const terms of [{ services: ['Hosting'] }, { ...TEAM, perpetual: true }]) {
      expectError(await post({ name: 'x', ...terms }), 'INVALID_TERM', { details });
    }
    expectError(await post({ name: 'x', days: 1 }), 'SERVICES_REQUIRED');
    expectInvalid(await post({ name: 'x', ...TEAM, oncePerMachine: 'yes' }), 'oncePerMachine');
    const plan = await create();
    expectError(await patch(plan, { duration: 1, days: 1 }), 'INVALID_TERM');
  });

  it("fill in what a request omits, including false and null; a request's own term replaces theirs", async () => {
    const [plan, project] = [await create(), await projectOf()];
    const filled = await issue(project, {
      ...{ plan: plan._id, leaseSeconds: null, perpetual: false, maxMachines: null },
      ...{ release: null, entitlements: null, days: null },
    });
    expect(filled.body.license).toMatchObject({ ...TEAM, duration: null, plan: plan._id });
    const own = { duration: 2, services: ['Domain'], maxMachines: 1, entitlements: [] };
    expect((await issue(project, { plan: plan._id, ...own })).body.license).toMatchObject({
      ...{ ...own, days: null, leaseSeconds: 600 },
    });
    const unused = await create();
    const { body } = await app.get('/plans?limit=2&licensesCount=true', ada);
    expect(body.data).toEqual([
      { ...unused, licensesCount: 0 },
      { ...plan, licensesCount: 2 },
    ]);
    const endless = await create({ days: null, perpetual: true });
    expect((await issue(project, { plan: endless._id })).body.license.perpetual).toBe(true);
  });

  it('issue only for projects of their product, which createProject adopts', async () => {
    const plan = await create({ product: 'shop' });
    for (const project of [await projectOf(), await projectOf('wiki')]) {
      expectError(await issue(project, { plan: plan._id }), 'PLAN_OF_ANOTHER_PRODUCT');
    }
    expect((await issue(await projectOf('shop'), { plan: plan._id })).status).toBe(201);
    const body = { clientId: (await app.createClient(ada))._id, projectName: 'New' };
    const created = await app.post('/projects/createProject', { ...body, plan: plan._id }, ada);
    expect(created.body).toMatchObject({
      ...{ project: { product: 'shop' }, license: { product: 'shop', ...TEAM } },
    });
    const other = { ...body, product: 'wiki', plan: plan._id };
    const rejected = await app.post('/projects/createProject', other, ada);
    expectError(rejected, 'PLAN_OF_ANOTHER_PRODUCT');
  });

  it('upgrade a license without changing its term', async () => {
    const [plan, license] = [await create(), await app.createLicense(ada, { duration: 6 })];
    const upgrade = { plan: plan._id, maxMachines: 7 };
    const { body } = await app.patch(`/licenses/${license._id}`, upgrade, ada);
    expect(body.license).toMatchObject({
      ...{ ...TEAM, days: null, duration: 6, maxMachines: 7, plan: plan._id },
      expiresAt: license.expiresAt,
    });
  });

  it('count as omitted if null; a license keeps its issued terms if its plan changes, and null detaches it', async () => {
    const [plan, project] = [await create(), await projectOf()];
    const terms = { plan: null, duration: 2, services: ['Hosting'] };
    expect((await issue(project, terms)).body.license.plan).toBeNull();
    expectError(await issue(project, { ...terms, duration: null }), 'INVALID_TERM');
    const { license } = (await issue(project, { plan: plan._id })).body;
    await patch(plan, { maxMachines: 9 });
    await app.delete(`/plans/${plan._id}`, ada);
    expect(await app.readLicense(ada, license)).toEqual(license);
    const { body } = await app.patch(`/licenses/${license._id}`, { plan: null }, ada);
    expect(body.license).toEqual({ ...license, plan: null });
  });

  it('are not found if they belong to another account', async () => {
    const eve = await app.register();
    const plan = (await app.post('/plans', { name: 'Eve', ...TEAM }, eve)).body.plan;
    expectError(await issue(await projectOf(), { plan: plan._id }), 'PLAN_NOT_FOUND');
    const license = await app.createLicense(ada);
    const upgrade = await app.patch(`/licenses/${license._id}`, { plan: plan._id }, ada);
    expectError(upgrade, 'PLAN_NOT_FOUND');
    expect((await post({ name: 'Eve', ...TEAM })).status).toBe(201);
  });

  describe('with one use per machine', () => {
    const TRIAL = { days: 14, oncePerMachine: true, leaseSeconds: null, maxMachines: 1 };
    const licenseOf = async (plan: { _id: string }) =>
      (await issue(await projectOf(), { plan: plan._id })).body.license;

    it('reject the second license of a machine, in every project and on every route, for 400 days', async () => {
      const plan = await create({ ...TRIAL, leaseSeconds: 86_400, maxMachines: 2 });
      const [first, second] = [await licenseOf(plan), await licenseOf(plan)];
      expect((await app.activate(first, LAPTOP)).status).toBe(200);
      expect((await app.activate(first, LAPTOP)).status).toBe(200);
      const check = { key: second.key, fingerprint: LAPTOP };
      expectError(await app.activate(second, LAPTOP), 'TRIAL_USED', { success: false });
      expect((await app.activate(second, DESKTOP)).status).toBe(200);
      expectError(await app.post('/validate/heartbeat', check), 'TRIAL_USED');
      expectError(await app.issueCertificate(ada, second), 'TRIAL_USED');
      await app.nest.get(CountedEvents, { strict: false }).step();
      expect(await app.eventsOf(ada, second)).toContainEqual(
        expect.objectContaining({
          type: 'license.activation_rejected',
          data: expect.objectContaining({ reason: 'trial_used' }),
        }),
      );
      await app.moveTo(ada, '2027-03-08T10:15:00.000Z');
      const late = await licenseOf(plan);
      expect((await app.activate(late, LAPTOP)).status).toBe(200);
    });

    it('let the machine activate the same license again, and its replacement', async () => {
      const plan = await create({ ...TRIAL, release: 'self' });
      let license = await licenseOf(plan);
      await app.activate(license, LAPTOP);
      await app.post('/validate/release', { key: license.key, fingerprint: LAPTOP });
      expect((await app.activate(license, LAPTOP)).status).toBe(200);
      for (let times = 0; times < 21; times++) {
        license = (await app.post(`/licenses/${license._id}/reissue`, {}, ada)).body.license;
      }
      expect((await app.activate(license, LAPTOP)).status).toBe(200);
    });

    it('accept one of two licenses that a machine activates concurrently, and both once the plan allows it', async () => {
      const plan = await create(TRIAL);
      const licenses = [await licenseOf(plan), await licenseOf(plan)];
      const raced = await Promise.all(licenses.map((license) => app.activate(license, LAPTOP)));
      expect(statusesOf(raced).sort()).toEqual([200, 403]);
      await patch(plan, { oncePerMachine: false });
      const both = await Promise.all(licenses.map((license) => app.activate(license, LAPTOP)));
      expect(statusesOf(both)).toEqual([200, 200]);
    });
  });
});
