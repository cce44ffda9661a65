import { type Developer, LAPTOP, PASSWORD } from '../../e2e/developer.js';
import type { HttpCaller } from '../../http-caller.js';
import { onTheWire, UNIQUE } from './on-the-wire.js';

/** On MongoDB, creations of one user run one after the other, those of different users at the same time. */
const USERS = 8;
const TERMS = { duration: 6, services: ['Hosting'] };
/** The number of times that all requests are sent between two logins, as a login costs a hundred times as much. */
const BETWEEN_LOGINS = 3;

/** Half validations, and half writes of several users with one login in a hundred, as they are on the wire. */
export async function mixedRequests(service: HttpCaller): Promise<string[]> {
  const requests: string[] = [];
  const logins: string[][] = [];
  const post = (path: string, body: object, user?: Developer) =>
    onTheWire('POST', path, { body, ...(user && { token: user.token }) });
  for (let i = 0; i < USERS; i++) {
    const ada = await service.register();
    const license = await service.createLicense(ada);
    await service.activate(license, LAPTOP);
    const validation = post('/validate', { key: license.key, fingerprint: LAPTOP });
    const project = { clientId: license.client, projectName: 'Shop', ...TERMS };
    requests.push(
      validation,
      post('/clients', { name: 'Acme', email: `${UNIQUE}@acme.example` }, ada),
    );
    requests.push(validation, post('/projects/createProject', project, ada));
    // Of another account: a hundred logins end the session of the first token.
    const { email } = await service.register();
    logins.push([validation, post('/auth/login', { email, password: PASSWORD })]);
  }
  const between = Array.from({ length: BETWEEN_LOGINS }, () => requests).flat();
  return logins.flatMap((login) => [...between, ...login]);
}
