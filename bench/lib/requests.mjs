import { FINGERPRINT } from './world.mjs';

const JSON_HEADERS = { 'content-type': 'application/json' };

const authorized = (token) => token && { authorization: `Bearer ${token}` };

export const post = (path, body, token) => ({
  method: 'POST',
  path,
  headers: { ...JSON_HEADERS, ...authorized(token) },
  body: JSON.stringify(body),
});

export const patch = (path, body, token) => ({ ...post(path, body, token), method: 'PATCH' });

export const validation = (key) => post('/validate', { key, fingerprint: FINGERPRINT });

/** @param key begins with the prefix and the project's id, which names the product */
export const certifiedValidation = (key) =>
  post('/validate', {
    key,
    fingerprint: FINGERPRINT,
    product: key.split('-')[1].toLowerCase(),
    certificate: true,
  });

export const activation = (key) => post('/validate/activate', { key, fingerprint: FINGERPRINT });

const get = (path, token) => ({ method: 'GET', path, headers: authorized(token) });

export const dashboard = (token) => get('/dashboard', token);

export const machinesOf = (id, token) => get(`/licenses/${id}/machines`, token);

export const clientOf = (id, token) => get(`/clients/${id}`, token);

export const summaryOf = (token) => get('/dashboard/summary', token);

export const createProject = (token, clientId) =>
  post(
    '/projects/createProject',
    { clientId, projectName: 'Web shop', duration: 6, services: ['Hosting', 'Domain'] },
    token,
  );

const TIME = '"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z"';

const ACTIVE =
  '^{"valid":true,"status":"active","message":"License is valid","duration":6,' +
  `"services":\\["Hosting","Domain"\\],"activatedAt":${TIME},"expiresAt":${TIME},"entitlements":\\[\\]`;

/** The expected responses; a body is a regular expression. */
export const VALID = { status: 200, body: `${ACTIVE}}$` };

export const CERTIFIED = {
  status: 200,
  body: `${ACTIVE},"certificate":"[\\w-]+\\.[\\w-]{300,}\\.[\\w-]{86}"}$`,
};

export const ACTIVATED = {
  status: 200,
  body:
    '^{"success":true,"message":"License activated successfully",' +
    `"activatedAt":${TIME},"expiresAt":${TIME},"machineId":"[0-9a-f]{64}"}$`,
};

export const CREATED = {
  status: 201,
  body: '^{"message":"Project and license created successfully","project":{"_id":"[0-9a-f]{24}",.*"status":"PENDING"',
};

/** The dashboard of a user with 5 clients, 10 projects and 100 licenses. */
export const DASHBOARD = {
  status: 200,
  body: '"clientsCount":5,"projectsCount":10,"licensesCount":100,"data":\\[{"_id".*"nextCursor":null}$',
};

/** The summary of a user with this many PENDING, and as many ACTIVE licenses. */
export const SUMMARY = (each) => ({
  status: 200,
  body: `^{"licensesByStatus":{"PENDING":${each},"ACTIVE":${each},"EXPIRED":0,"SUSPENDED":0,"REVOKED":0}`,
});
