import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { DatabaseSync, type DatabaseSyncInstance } from '@photostructure/sqlite';
import { TestApp } from '../../app.js';
import { describeInFull } from '../../scope.js';
import { createClient, createProject, type Developer, registerDeveloper } from '../developer.js';

describeInFull('The service while another process keeps its SQLite store for itself', () => {
  let folder: string;
  let app: TestApp;
  let other: DatabaseSyncInstance;
  let ada: Developer;
  let key: string;

  beforeAll(async () => {
    folder = fs.mkdtempSync(path.join(os.tmpdir(), 'busy-store-'));
    app = await TestApp.start('SQLite', { DATA_DIR: folder });
    ada = await registerDeveloper(app);
    const client = await createClient(app, ada);
    key = (await createProject(app, ada, client._id)).license.key;
    other = new DatabaseSync(path.join(folder, 'licenses.sqlite'));
    other.exec('BEGIN IMMEDIATE');
  });
  afterAll(async () => {
    other.close();
    await app.stop();
    fs.rmSync(folder, { recursive: true });
  });

  it('validates, reads and is ready while writes wait', async () => {
    const write = app.post('/auth/register', {
      name: 'Bob',
      email: 'b@example.com',
      password: key,
    });
    expect((await app.post('/validate', { key })).body).toMatchObject({ status: 'pending' });
    expect((await app.get('/licenses', ada)).status).toBe(200);
    expect((await app.get('/health/ready')).status).toBe(200);
    const response = await write;
    expect(response.status).toBe(503);
    expect(response.body.code).toBe('STORE_UNAVAILABLE');
    expect(response.headers.get('retry-after')).toBe('1');
  });

  it('responds as specified to a failure, with Retry-After', async () => {
    const client = { name: 'Acme', email: 'busy@acme.example' };
    const response = await app.post('/clients', client, ada);
    expect(response.status).toBe(500);
    expect(response.headers.get('retry-after')).toBe('1');
    other.exec('ROLLBACK');
    expect((await app.post('/clients', client, ada)).status).toBe(201);
  });
});
