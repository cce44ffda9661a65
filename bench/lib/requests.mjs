import { fingerprintOf } from './world.mjs';

const authorized = (token) => token && { authorization: `Bearer ${token}` };

export const get = (path, token) => ({ method: 'GET', path, headers: authorized(token) });

export const post = (path, body, token) => ({
  method: 'POST',
  path,
  headers: { 'content-type': 'application/json', ...authorized(token) },
  body: JSON.stringify(body),
});

/** What a machine of a license sends: the first one, unless its number is given. */
export const byMachine = (path, key, machine = 0, more = {}) =>
  post(path, { key, fingerprint: fingerprintOf(machine), ...more });

export const validation = (key) => byMachine('/validate', key);

/** @param key begins with the prefix and the project's id, which names the product */
export const certifiedValidation = (key) =>
  byMachine('/validate', key, 0, {
    product: key.split('-')[1].toLowerCase(),
    certificate: true,
  });

export const activation = (key) => byMachine('/validate/activate', key);

export const createProject = (token, clientId) =>
  post(
    '/projects/createProject',
    { clientId, projectName: 'Web shop', duration: 6, services: ['Hosting', 'Domain'] },
    token,
  );

/** The expected responses; a body is a regular expression. */
export const VALID = { status: 200, body: '^{"valid":true,"status":"active",.*]}$' };

export const CERTIFIED = {
  status: 200,
  body: '^{"valid":true,"status":"active",.*,"certificate":"[\\w-]+\\.[\\w-]{300,}\\.[\\w-]{86}"}$',
};

/** A machine that holds a seat already gets no id. */
export const ACTIVATED = { status: 200, body: '^{"success":true,.*,"machineId":"[0-9a-f]{64}"}$' };

export const CREATED = {
  status: 201,
  body: '"project":{"_id":"[0-9a-f]{24}",.*"status":"PENDING"',
};
