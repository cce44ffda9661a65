import { activate, createLicense, PASSWORD, registerDeveloper } from '../../e2e/developer.js';
import type { HttpCaller } from '../../http-caller.js';
import { onTheWire, UNIQUE } from './on-the-wire.js';

/** Creations of one user take turns on MongoDB, as those of different users do not. */
const USERS = 8;
const FINGERPRINT = 'fingerprint-of-a-machine';

/** Half validations, and half writes of several users with one login among them, as they are on the wire. */
export async function mixedRequests(service: HttpCaller): Promise<string[]> {
  const requests: string[] = [];
  for (let i = 0; i < USERS; i++) {
    const ada = await registerDeveloper(service);
    const license = await createLicense(service, ada);
    await activate(service, license, FINGERPRINT);
    const body = { key: license.key, fingerprint: FINGERPRINT };
    const validation = onTheWire('POST', '/validate', { body });
    const client = { name: 'Acme', email: `${UNIQUE}@acme.example` };
    const project = {
      clientId: license.client,
      projectName: 'Shop',
      duration: 6,
      services: ['Hosting'],
    };
    const write = (path: string, body: object) =>
      onTheWire('POST', path, { body, token: ada.token });
    requests.push(
      ...[validation, write('/clients', client)],
      ...[validation, write('/projects/createProject', project)],
    );
    if (i > 0) continue;
    const login = { email: ada.email, password: PASSWORD };
    requests.push(validation, onTheWire('POST', '/auth/login', { body: login }));
  }
  return requests;
}
