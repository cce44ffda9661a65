import { LicenseEventsRepository } from '../../../src/licenses/license-events.repository.js';
import { ENGINES } from '../../engines.js';
import { activate, createLicense, registerDeveloper } from '../developer.js';
import { useApp } from '../use-app.js';

describe.each(ENGINES)('A rejected activation on %s', (engine) => {
  const app = useApp(engine);

  it('gets the specified response even if its event cannot be stored, and the log says why', async () => {
    const license = await createLicense(app, await registerDeveloper(app));
    await activate(app, license, 'laptop-of-the-customer');
    const failure = new Error('database or disk is full');
    const events = app.nest.get(LicenseEventsRepository, { strict: false });
    const recordRejection = jest.spyOn(events, 'recordRejection').mockRejectedValueOnce(failure);
    const response = await activate(app, license, 'desktop-of-the-customer');
    recordRejection.mockRestore();

    expect(response.status).toBe(403);
    expect(response.body).toMatchObject({
      success: false,
      message: 'License already activated on another machine',
    });
    const lines = app.log.filter((line) => line.includes(response.body.requestId));
    expect(lines.map((line) => JSON.parse(line) as unknown)).toContainEqual(
      expect.objectContaining({
        level: 50,
        reqId: response.body.requestId,
        err: expect.objectContaining({
          message: expect.stringMatching(/rejected activation.*database or disk is full/),
        }),
      }),
    );
  });
});
