import { type CreatedLicense, type Developer, PASSWORD } from '../../e2e/developer.js';
import type { HttpCaller } from '../../http-caller.js';
import { onTheWire, UNIQUE } from './on-the-wire.js';

/** On MongoDB, creations of one user run one after the other, those of different users at the same time. */
const USERS = 8;
const FINGERPRINT = 'fingerprint-of-a-machine';
/** The number of times that all requests are sent between two logins, as a login costs a hundred times as much. */
const BETWEEN_LOGINS = 3;

/** Half validations, and half writes of several users with one login in a hundred, as they are on the wire. */
export async function mixedRequests(service: HttpCaller): Promise<string[]> {
  const requests: string[] = [];
  const logins: string[][] = [];
  for (let i = 0; i < USERS; i++) {
    const ada = await service.register();
    const license = await service.createLicense(ada);
    await service.activate(license, FINGERPRINT);
    const [validation, ...writes] = requestsOf(ada, license);
    requests.push(...writes.flatMap((write) => [validation, write]));
    // Of another account: a hundred logins end the session of the first token.
    const { email } = await service.register();
    const body = { email, password: PASSWORD };
    logins.push([validation, onTheWire('POST', '/auth/login', { body })]);
  }
  const between = Array.from({ length: BETWEEN_LOGINS }, () => requests).flat();
  return logins.flatMap((login) => [...between, ...login]);
}

function requestsOf({ token }: Developer, { key, client }: CreatedLicense): [string, ...string[]] {
  const write = (path: string, body: object) => onTheWire('POST', path, { body, token });
  const terms = { projectName: 'Shop', duration: 6, services: ['Hosting'] };
  return [
    onTheWire('POST', '/validate', { body: { key, fingerprint: FINGERPRINT } }),
    write('/clients', { name: 'Acme', email: `${UNIQUE}@acme.example` }),
    write('/projects/createProject', { clientId: client, ...terms }),
  ];
}
