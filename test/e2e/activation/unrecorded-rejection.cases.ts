import { LicenseEventsRepository } from '../../../src/licenses/license-events.repository.js';
import { TestApp } from '../../app.js';
import { ENGINES } from '../../engines.js';
import { activate, createLicense, registerDeveloper } from '../developer.js';

describe.each(ENGINES)('A rejected activation on %s', (engine) => {
  let app: TestApp;

  beforeAll(async () => {
    app = await TestApp.start(engine);
  });
  afterAll(() => app.stop());

  it('is the response of the specification where its event cannot be stored, and the log says why', async () => {
    const license = await createLicense(app, await registerDeveloper(app));
    await activate(app, license, 'laptop-of-the-customer');
    const failure = new Error('database or disk is full');
    const events = app.nest.get(LicenseEventsRepository, { strict: false });
    const recordRefusal = jest.spyOn(events, 'recordRefusal').mockRejectedValueOnce(failure);
    const answer = await activate(app, license, 'desktop-of-the-customer');
    recordRefusal.mockRestore();

    expect(answer.status).toBe(403);
    expect(answer.body).toMatchObject({
      success: false,
      message: 'License already activated on another machine',
    });
    const lines = app.log.filter((line) => line.includes(answer.body.requestId));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(
      expect.objectContaining({
        level: 50,
        reqId: answer.body.requestId,
        err: expect.objectContaining({
          message: expect.stringMatching(/rejected activation.*database or disk is full/),
        }),
      }),
    );
  });
});
