import { DatabaseSync } from '@photostructure/sqlite';
import { describeInFull } from '../../scope.js';
import { useFolder } from '../../use-folder.js';
import { TestApp } from '../../app.js';
import { createLicense, PASSWORD, registerDeveloper } from '../developer.js';
import { expectError } from '../expect-response.js';

describeInFull('The service while another process keeps its SQLite store for itself', () => {
  const folder = useFolder();

  it('validates, reads and is ready while writes wait, which fail with the time to come back', async () => {
    const app = await TestApp.start('SQLite', { DATA_DIR: folder() });
    const ada = await registerDeveloper(app);
    const { key } = await createLicense(app, ada);
    const other = new DatabaseSync(folder('licenses.sqlite'));
    other.exec('BEGIN IMMEDIATE');

    const client = { name: 'Acme', email: 'busy@acme.example' };
    const bob = { name: 'Bob', email: 'b@example.com', password: PASSWORD };
    const writes = [app.post('/auth/register', bob), app.post('/clients', client, ada)];
    expect((await app.post('/validate', { key })).body).toMatchObject({ status: 'pending' });
    expect((await app.get('/licenses', ada)).status).toBe(200);
    expect((await app.get('/health/ready')).status).toBe(200);
    const [registration, creation] = await Promise.all(writes);
    expectError(registration!, [503, 'STORE_UNAVAILABLE']);
    expect(creation!.status).toBe(500);
    for (const response of [registration!, creation!]) {
      expect(response.headers.get('retry-after')).toBe('1');
    }
    other.exec('ROLLBACK');
    other.close();
    expect((await app.post('/clients', client, ada)).status).toBe(201);
    await app.stop();
  });
});
