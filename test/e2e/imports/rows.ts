import { randomUUID } from 'node:crypto';
import type { TestApp } from '../../app.js';
import type { Call } from '../../http-caller.js';

export const newKey = () => `${randomUUID()}`.toUpperCase();
export const aRow = (fields: object = {}) => ({
  ref: randomUUID(),
  key: newKey(),
  client: { email: `${randomUUID()}@client.example`, name: 'Ada Ltd' },
  product: 'com.acme.draw',
  expiresAt: '2027-02-01T10:00:00.000Z',
  services: ['Hosting'],
  ...fields,
});
export const importInto = (app: TestApp, by: Call, rows: unknown[], fields: object = {}) =>
  app.post('/licenses/import', { source: 'keygen', mode: 'create', rows, ...fields }, by);
