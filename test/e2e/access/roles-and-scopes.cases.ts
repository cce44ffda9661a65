import { SCOPES } from '../../../src/auth/access/operations.js';
import { type LoggedInDeveloper, NOBODYS } from '../developer.js';
import { everythingOf } from '../everything.js';
import { withTotp } from '../auth/second-factors.js';
import { expectError } from '../responses.js';
import { useApp } from '../use-app.js';
import { ROUTES, type ApiRoute } from '../security/world.js';

const ROLES = ['viewer', 'support', 'admin', 'owner'] as const;
type Role = (typeof ROLES)[number];

/** The role and scopes each operation needs, none for a session: from the specification of the roles, not from the table. */
const NEEDS: readonly [role: Role, scopes: readonly string[], operations: readonly string[]][] = [
  ['viewer', [], ['getMe', 'changePassword', 'listSessions', 'endSession', 'endOtherSessions']],
  ['viewer', [], ['listFactors', 'setUpTotp', 'confirmTotp', 'createPasskeyOptions']],
  ['viewer', [], ['createPasskey', 'deleteFactor', 'createRecoveryCodes']],
  ['viewer', [], ['createStepUpOptions', 'stepUp', 'getAccountPolicy']],
  ['viewer', [], ['getSigningKeys', 'changeEmail']],
  ['viewer', ['clients:read'], ['listClients', 'getClient']],
  ['viewer', ['projects:read'], ['listProjects', 'getProject']],
  ['viewer', ['plans:read'], ['listPlans', 'getPlan']],
  ['viewer', ['licenses:read'], ['listLicenses', 'getLicense', 'lookUpLicense', 'exportLicenses']],
  ['viewer', ['licenses:read'], ['listMachines', 'listLicensesOfMachine', 'search']],
  ['viewer', ['events:read'], ['listEvents', 'exportEvents', 'listLicenseEvents']],
  ['viewer', ['dashboard:read'], ['getDashboard', 'getSummary']],
  ['support', ['licenses:suspend'], ['renewLicense', 'suspendLicense', 'resumeLicense']],
  ['support', ['licenses:suspend'], ['changeLicenses']],
  ['support', ['licenses:revoke'], ['revokeLicense', 'releaseMachineOfLicense']],
  ['support', ['licenses:write', 'licenses:revoke'], ['reissueLicense']],
  ['admin', ['clients:write'], ['createClient', 'updateClient', 'deleteClient']],
  ['admin', ['clients:write'], ['getPersonalData', 'eraseClient']],
  ['admin', ['projects:write'], ['updateProject', 'deleteProject']],
  ['admin', ['projects:write', 'licenses:write'], ['createProject']],
  ['admin', ['licenses:write'], ['createLicense', 'createLicenses', 'updateLicense']],
  ['admin', ['clients:write', 'projects:write', 'licenses:write'], ['importLicenses', 'restore']],
  ['admin', ['clients:read', 'projects:read', 'licenses:read'], ['listBin']],
  ['admin', ['clients:write', 'projects:write', 'licenses:revoke'], ['eraseFromBin']],
  ['admin', ['licenses:read', 'licenses:write'], ['exportLicenseKeys']],
  ['admin', ['licenses:revoke'], ['revokeLicenses']],
  ['admin', ['certificates:write'], ['issueCertificate']],
  ['admin', ['plans:write'], ['createPlan', 'updatePlan', 'deletePlan']],
  ['admin', ['webhooks:read'], ['listWebhooks', 'getWebhook', 'listDeliveries']],
  ['admin', ['webhooks:write'], ['deleteWebhook', 'testWebhook', 'redeliver']],
  ['admin', ['webhooks:write', 'events:read', 'licenses:read'], ['createWebhook', 'updateWebhook']],
  ['admin', [], ['createApiKey', 'listApiKeys', 'deleteApiKey', 'rotateWebhookSecret']],
  ['admin', [], ['getDelivery']],
  ['admin', [], ['inviteMember', 'listMembers', 'updateMember', 'removeMember']],
  ['admin', [], ['listMailTemplates', 'putMailTemplate', 'testMailTemplate']],
  ['support', ['licenses:write'], ['sendLicenseKey']],
  ['admin', [], ['getPortal', 'updatePortal']],
  ['support', [], ['createPortalLink']],
  ['admin', [], ['listMails', 'retryMail']],
  ['owner', [], ['rotateSigningKeys', 'updateAccountPolicy']],
];
/** Scopes, each of which suffices instead of the others. */
const INSTEAD: Record<string, string[]> = { changeLicenses: ['licenses:write', 'licenses:revoke'] };
/** What gives lasting access, so a session needs a confirmation from the last ten minutes. */
const RECENT = [
  ...['setUpTotp', 'confirmTotp', 'createPasskeyOptions', 'createPasskey', 'deleteFactor'],
  ...['createRecoveryCodes', 'updateAccountPolicy', 'changeEmail', 'createApiKey', 'deleteApiKey'],
  ...['inviteMember', 'updateMember', 'removeMember'],
];
/** What is open to a member without the second factor that the account requires. */
const SETTING_UP = [
  ...['getMe', 'getAccountPolicy', 'listFactors', 'setUpTotp', 'confirmTotp'],
  ...['createPasskeyOptions', 'createPasskey', 'createStepUpOptions', 'stepUp'],
];
const needsOf = (operation: string) => NEEDS.find(([, , all]) => all.includes(operation))!;

const AUTHENTICATED = ROUTES.filter(({ operation }) => operation.security?.length);

describe(`S23: ${AUTHENTICATED.length} authenticated operations`, () => {
  const app = useApp();
  let owner: LoggedInDeveloper;
  beforeAll(async () => {
    owner = await app.register();
    // Created by the first request.
    await app.get('/signing-keys', owner);
  });

  /** Changes nothing even if the caller may send it: the body is malformed, and the record does not exist. */
  const send = (route: ApiRoute, { token }: { token: string }) =>
    app.send(route.method, route.pathTo(NOBODYS), route.hasBody ? '{' : undefined, { token });

  it('require a role, and either scopes or a session, here and in the document', () => {
    const operations = NEEDS.flatMap(([, , all]) => all);
    expect(AUTHENTICATED.map(({ id }) => id).sort()).toEqual(operations.sort());
    for (const { id, operation } of AUTHENTICATED) {
      const [role, scopes] = needsOf(id);
      const documented = [operation['x-required-role'], operation['x-required-scope'] ?? []];
      expect([id, ...documented]).toEqual([id, role, scopes]);
    }
  });

  it.each(ROLES)('are open to %s according to their row, before the body is read', async (role) => {
    const caller = role === 'owner' ? owner : await app.addMember(owner, role);
    const before = await everythingOf(app, owner);
    for (const route of AUTHENTICATED) {
      const { status, body } = await send(route, caller);
      const [needed] = needsOf(route.id);
      const isDenied = status === 403 && body.code === 'INSUFFICIENT_ROLE';
      expect([route.id, isDenied]).toEqual([route.id, ROLES.indexOf(role) < ROLES.indexOf(needed)]);
      if (isDenied) expect(body.role).toBe(needed);
    }
    expect(await everythingOf(app, owner)).toEqual(before);
  });

  /** The operations that a caller is denied with this code. */
  const deniedTo = async (caller: LoggedInDeveloper, code: string) => {
    const denied: string[] = [];
    for (const route of AUTHENTICATED) {
      if ((await send(route, caller)).body?.code === code) denied.push(route.id);
    }
    return denied;
  };
  const ids = AUTHENTICATED.map(({ id }) => id);

  it('need a confirmation from the last ten minutes if and only if they give lasting access', async () => {
    app.clock.advance({ seconds: 600 });
    const denied = await deniedTo(owner, 'STEP_UP_REQUIRED');
    app.clock.advance({ seconds: -600 });
    expect(denied.sort()).toEqual(RECENT.toSorted());
  });

  it('are closed to a member without the second factor that the account requires, except setting one up', async () => {
    const strict = await app.register();
    const member = await app.addMember(strict, 'admin');
    await withTotp(app, strict);
    await app.send('PUT', '/account/policy', '{"mfa":"required"}', strict);
    const ofOwner = ids.filter((id) => needsOf(id)[0] === 'owner');
    const denied = await deniedTo(member, 'FACTOR_SETUP_REQUIRED');
    expect(denied).toEqual(ids.filter((id) => ![...SETTING_UP, ...ofOwner].includes(id)));
  });

  it('are open to an API key with exactly their scopes, and closed if one is missing', async () => {
    const keys = new Map<string, { token: string }>();
    const keyWith = async (scopes: readonly string[]) => {
      const id = scopes.join();
      const key = keys.get(id) ?? (await app.addApiKey(owner, scopes));
      keys.set(id, key);
      return key;
    };
    for (const route of AUTHENTICATED) {
      const [, scopes] = needsOf(route.id);
      if (scopes.length === 0) {
        expectError(await send(route, await keyWith(SCOPES)), 'SESSION_REQUIRED');
        continue;
      }
      const { status } = await send(route, await keyWith(scopes));
      expect([route.id, status]).not.toEqual([route.id, 403]);
      for (const scope of scopes) {
        const lacking = [scope, ...(INSTEAD[route.id] ?? [])];
        const others = await keyWith(SCOPES.filter((one) => !lacking.includes(one)));
        expectError(await send(route, others), 'INSUFFICIENT_SCOPE', { scope });
      }
    }
  });

  it.each([
    ['clients', ['clients:write', 'projects:write', 'licenses:revoke']],
    ['projects', ['projects:write', 'licenses:revoke']],
  ])('DELETE /%s/:id?withLicenses=true requires %j', async (kind, scopes) => {
    const path = `/${kind}/${NOBODYS}`;
    const all = await app.addApiKey(owner, scopes);
    const first = await app.addApiKey(owner, scopes.slice(0, 1));
    expect((await app.delete(`${path}?withLicenses=true`, all)).status).toBe(404);
    expect((await app.delete(path, first)).status).toBe(404);
    const denied = await app.delete(`${path}?withLicenses=true`, first);
    expectError(denied, 'INSUFFICIENT_SCOPE', { scope: scopes[1] });
    for (const { _id } of [all, first]) await app.delete(`/api-keys/${_id}`, owner);
  });
});
