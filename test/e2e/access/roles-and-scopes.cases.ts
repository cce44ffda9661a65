import { SCOPES } from '../../../src/auth/access/scopes.js';
import { type LoggedInDeveloper, NOBODYS } from '../developer.js';
import { everythingOf } from '../everything.js';
import { expectError } from '../expect-response.js';
import { useApp } from '../use-app.js';
import { ROUTES, type ApiRoute } from '../security/world.js';

const ROLES = ['viewer', 'support', 'admin', 'owner'] as const;
type Role = (typeof ROLES)[number];

/** What each role may do besides what those before it may: from the specification of the roles, not from the table. */
const BY_ROLE: Record<Role, readonly string[]> = {
  viewer: [
    ...['getMe', 'changePassword', 'listSessions', 'endSession', 'endOtherSessions'],
    ...['listClients', 'getClient', 'listProjects', 'getProject', 'listPlans', 'getPlan'],
    ...['listLicenses', 'getLicense', 'lookUpLicense', 'exportLicenses', 'listMachines'],
    ...[
      'listLicensesOfMachine',
      'listEvents',
      'exportEvents',
      'listLicenseEvents',
      'search',
      'getDashboard',
      'getSummary',
    ],
    'getSigningKeys',
  ],
  support: [
    ...['renewLicense', 'releaseMachineOfLicense', 'suspendLicense', 'resumeLicense'],
    ...['reissueLicense', 'revokeLicense'],
  ],
  admin: [
    ...['createClient', 'updateClient', 'deleteClient', 'createProject', 'updateProject'],
    ...['deleteProject', 'createLicense', 'createLicenses', 'updateLicense', 'revokeLicenses'],
    ...['issueCertificate', 'createPlan', 'updatePlan', 'deletePlan'],
    ...['createApiKey', 'listApiKeys', 'deleteApiKey'],
    ...['createWebhook', 'listWebhooks', 'getWebhook', 'updateWebhook', 'deleteWebhook'],
    ...['testWebhook', 'rotateWebhookSecret', 'listDeliveries', 'redeliver'],
    ...['inviteMember', 'listMembers', 'updateMember', 'removeMember'],
  ],
  owner: ['rotateSigningKeys'],
};

/** What an API key needs all of these scopes for. */
const BY_SCOPES: readonly [scopes: readonly string[], operations: readonly string[]][] = [
  [['clients:read'], ['listClients', 'getClient']],
  [['clients:write'], ['createClient', 'updateClient', 'deleteClient']],
  [['projects:read'], ['listProjects', 'getProject']],
  [['projects:write'], ['updateProject', 'deleteProject']],
  [['projects:write', 'licenses:write'], ['createProject']],
  [['licenses:read'], ['listLicenses', 'getLicense', 'lookUpLicense', 'exportLicenses']],
  [['licenses:read'], ['listMachines', 'listLicensesOfMachine', 'search']],
  [['licenses:write'], ['createLicense', 'createLicenses', 'updateLicense', 'renewLicense']],
  [['licenses:revoke'], ['suspendLicense', 'resumeLicense']],
  [['licenses:revoke'], ['revokeLicense', 'revokeLicenses', 'releaseMachineOfLicense']],
  [['licenses:write', 'licenses:revoke'], ['reissueLicense']],
  [['certificates:write'], ['issueCertificate']],
  [['plans:read'], ['listPlans', 'getPlan']],
  [['plans:write'], ['createPlan', 'updatePlan', 'deletePlan']],
  [['events:read'], ['listEvents', 'exportEvents', 'listLicenseEvents']],
  [['webhooks:read'], ['listWebhooks', 'getWebhook', 'listDeliveries']],
  [['webhooks:write'], ['deleteWebhook', 'testWebhook', 'redeliver']],
  [
    ['webhooks:write', 'events:read', 'licenses:read'],
    ['createWebhook', 'updateWebhook'],
  ],
  [['dashboard:read'], ['getDashboard', 'getSummary']],
];
const scopesOf = (operation: string) =>
  BY_SCOPES.find(([, operations]) => operations.includes(operation))?.[0] ?? [];

const AUTHENTICATED = ROUTES.filter(({ operation }) => operation.security?.length);

describe(`S23: ${AUTHENTICATED.length} authenticated operations`, () => {
  const app = useApp();
  let owner: LoggedInDeveloper;
  beforeAll(async () => {
    owner = await app.register();
    // They are created at the first request.
    await app.get('/signing-keys', owner);
  });

  /** This request changes nothing, even where the caller may send it: the body is malformed, and the record does not exist. */
  const send = (route: ApiRoute, { token }: { token: string }) =>
    app.send(route.method, route.pathTo(NOBODYS), route.hasBody ? '{' : undefined, { token });

  it('have a role, and either scopes or a session, here and in the document', () => {
    expect(AUTHENTICATED.map(({ id }) => id).sort()).toEqual(Object.values(BY_ROLE).flat().sort());
    for (const { operation } of AUTHENTICATED) {
      const id = String(operation.operationId);
      const role = ROLES.find((one) => BY_ROLE[one].includes(id));
      const scopes = scopesOf(id);
      const documented = [operation['x-required-role'], operation['x-required-scope'] ?? []];
      expect([id, ...documented]).toEqual([id, role, scopes]);
    }
  });

  it.each(ROLES)(
    'are open to %s exactly where its row says so, before the body is read',
    async (role) => {
      const caller = role === 'owner' ? owner : await app.addMember(owner, role);
      const allowed = ROLES.slice(0, ROLES.indexOf(role) + 1).flatMap((one) => BY_ROLE[one]);
      const before = await everythingOf(app, owner);
      for (const route of AUTHENTICATED) {
        const { status, body } = await send(route, caller);
        const isDenied = status === 403 && body.code === 'INSUFFICIENT_ROLE';
        expect([route.id, isDenied]).toEqual([route.id, !allowed.includes(route.id)]);
        if (isDenied) expect(body.role).toBe(route.operation['x-required-role']);
      }
      expect(await everythingOf(app, owner)).toEqual(before);
    },
  );

  it('are open to an API key with all of their scopes, whichever other it lacks, and to none without one of them', async () => {
    const without = new Map<string, { token: string }>();
    for (const scope of SCOPES) {
      const others = SCOPES.filter((one) => one !== scope);
      without.set(scope, await app.addApiKey(owner, others));
    }
    for (const route of AUTHENTICATED) {
      const scopes = scopesOf(route.id);
      for (const [scope, key] of without) {
        const response = await send(route, key);
        if (scopes.includes(scope)) {
          expectError(response, [403, 'INSUFFICIENT_SCOPE'], { scope });
        } else if (scopes.length === 0) {
          expectError(response, [403, 'SESSION_REQUIRED']);
        } else {
          expect([route.id, scope, response.status]).not.toEqual([route.id, scope, 403]);
        }
      }
    }
  });

  it.each([
    ['clients', ['clients:write', 'projects:write', 'licenses:revoke']],
    ['projects', ['projects:write', 'licenses:revoke']],
  ])('withLicenses=true of DELETE /%s/:id takes %j', async (kind, scopes) => {
    const path = `/${kind}/${NOBODYS}`;
    const all = await app.addApiKey(owner, scopes);
    const first = await app.addApiKey(owner, scopes.slice(0, 1));
    expect((await app.delete(`${path}?withLicenses=true`, all)).status).toBe(404);
    expect((await app.delete(path, first)).status).toBe(404);
    const denied = await app.delete(`${path}?withLicenses=true`, first);
    expectError(denied, [403, 'INSUFFICIENT_SCOPE'], { scope: scopes[1] });
    for (const { _id } of [all, first]) await app.delete(`/api-keys/${_id}`, owner);
  });
});
