import { createClient, type Developer, logIn, registerDeveloper } from '../developer.js';
import { expectError } from '../expect-response.js';
import { useApp } from '../use-app.js';

// Each quota is reached in test/e2e/journey.e2e-spec.ts, and by concurrent requests in creation-races.e2e-spec.ts.
describe('S21: the quotas of an account', () => {
  const app = useApp({ CLIENT_QUOTA: '3', IDEMPOTENCY_QUOTA: '2' });
  let ada: Developer;

  beforeEach(async () => {
    ada = await registerDeveloper(app);
  });

  const post = (index: number, headers: Record<string, string> = {}) => {
    const client = { name: 'Acme', email: `${index}.${ada._id}@acme.test` };
    return app.post('/clients', client, { token: ada.token, headers });
  };

  it('403: end its records, and a deletion makes room', async () => {
    const { _id } = await createClient(app, ada);
    for (const index of [1, 2]) expect((await post(index)).status).toBe(201);
    expectError(await post(3), [403, 'CLIENT_QUOTA_REACHED'], {
      ...{ message: 'Client quota reached', details: expect.any(String) },
    });
    await app.delete(`/clients/${_id}`, ada);
    expect((await post(3)).status).toBe(201);
  });

  it('403: end its idempotency records for a day, but not their repeats, nor requests without a key', async () => {
    const once = (index: number) => post(index, { 'Idempotency-Key': `key ${index}` });
    const responses = [await once(0), await once(1)];

    expectError(await once(2), [403, 'IDEMPOTENCY_QUOTA_REACHED']);
    expect((await once(1)).body).toEqual(responses[1]!.body);
    expect((await post(3)).status).toBe(201);
    await app.delete(`/clients/${responses[0]!.body.client._id}`, ada);
    app.clock.advance({ seconds: 24 * 3600 });
    ada = await logIn(app, ada);
    expect((await once(2)).status).toBe(201);
  });
});
