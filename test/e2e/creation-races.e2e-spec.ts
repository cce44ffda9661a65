import { EVERY_ENGINE } from '../engines.js';
import type { HttpResponse } from '../http-caller.js';
import { atOnce, countsOf } from './at-once.js';
import { OLD_PASSWORD } from './auth/account.js';
import { useAppOn } from './use-app.js';

const TERMS = { duration: 6, services: ['Hosting'] };
const QUOTAS = { clients: 7, projects: 6, licenses: 9 };

describe.each(EVERY_ENGINE)('Creations at the same time, on %s', (engine) => {
  const app = useAppOn(engine, {
    REGISTRATION: 'first',
    ...{ CLIENT_QUOTA: String(QUOTAS.clients), PROJECT_QUOTA: String(QUOTAS.projects) },
    LICENSE_QUOTA: String(QUOTAS.licenses),
  });

  it('S21: register one first account of 20, and create no more than its quotas by 32 requests each', async () => {
    const registrations = await atOnce(20, (i) => {
      const account = { name: 'Ada', email: `${i % 10}@studio.example`, password: OLD_PASSWORD };
      return app.post('/auth/register', account);
    });
    expect(countsOf(registrations)).toEqual({ 201: 1, 403: 19 });
    const { user, accessToken } = registrations.find(({ status }) => status === 201)!.body;
    const ada = { ...user, token: accessToken as string };
    const create = async (quota: number, send: (i: number) => Promise<HttpResponse>) => {
      const responses = await atOnce(32, send);
      expect(countsOf(responses)).toEqual({ 201: quota, 403: 32 - quota });
      return responses.filter(({ status }) => status === 201).map(({ body }) => body);
    };
    const clients = await create(QUOTAS.clients, (i) =>
      app.post('/clients', { name: 'Acme', email: `${i}@acme.example` }, ada),
    );
    const project = { clientId: clients[0].client._id, projectName: 'Shop', ...TERMS };
    const projects = await create(QUOTAS.projects, () =>
      app.post('/projects/createProject', project, ada),
    );
    await create(QUOTAS.licenses - QUOTAS.projects, (i) => {
      const { license } = projects[i % QUOTAS.projects];
      const path =
        i % 2 ? `/projects/${license.project}/licenses` : `/licenses/${license._id}/reissue`;
      return app.post(path, i % 2 ? TERMS : {}, ada);
    });

    expect((await app.get('/dashboard', ada)).body).toMatchObject({
      clientsCount: QUOTAS.clients,
      ...{ projectsCount: QUOTAS.projects, licensesCount: QUOTAS.licenses },
    });
  });
});
