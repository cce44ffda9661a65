import { activate, createLicense, registerDeveloper } from '../../e2e/developer.js';
import type { HttpCaller } from '../../http-caller.js';

/** Creations of one user take turns on MongoDB, as those of different users do not. */
const USERS = 8;
const FINGERPRINT = 'fingerprint-of-a-machine';

/** Validations and writes of several users, half and half, as they are on the wire. */
export async function mixedRequests(service: HttpCaller): Promise<string[]> {
  const requests: string[] = [];
  for (let i = 0; i < USERS; i++) {
    const ada = await registerDeveloper(service);
    const license = await createLicense(service, ada);
    await activate(service, license, FINGERPRINT);
    const validation = onTheWire('/validate', { key: license.key, fingerprint: FINGERPRINT });
    const client = { name: 'Acme', email: '{unique}@acme.example' };
    const project = {
      clientId: license.client,
      projectName: 'Shop',
      duration: 6,
      services: ['Hosting'],
    };
    requests.push(
      ...[validation, onTheWire('/clients', client, ada.token)],
      ...[validation, onTheWire('/projects/createProject', project, ada.token)],
    );
  }
  return requests;
}

function onTheWire(path: string, body: object, token?: string): string {
  const text = JSON.stringify(body);
  return [
    `POST ${path} HTTP/1.1`,
    'Host: licenses.example',
    'Content-Type: application/json',
    `Content-Length: ${text.replace('{unique}', '0'.repeat(13)).length}`,
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    '',
    text,
  ].join('\r\n');
}
