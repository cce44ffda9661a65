import fs from 'node:fs';
import { PASSWORD } from '../e2e/developer.js';
import { Operator } from './operator.js';

describe('A .env in the working folder', () => {
  const operator = new Operator();

  afterAll(() => operator.leave());

  it('is read, and is overridden by the variables of the environment', async () => {
    fs.writeFileSync(operator.path('.env'), 'DATA_DIR=./elsewhere\nREGISTRATION=closed\n');
    const service = await operator.start({ REGISTRATION: 'open' });
    const account = { name: 'Ada', email: 'ada@example.com', password: PASSWORD };

    expect(fs.readdirSync(operator.folder).sort()).toEqual(['.env', 'elsewhere']);
    expect((await service.post('/auth/register', account)).status).toBe(201);
  });
});
