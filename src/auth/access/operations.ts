/** The roles of an account, from lowest to highest. Each includes the ones before it. */
export const ROLES = ['viewer', 'support', 'admin', 'owner'] as const;
export type Role = (typeof ROLES)[number];

/** The roles a member can be given; an account has one owner. */
export const MEMBER_ROLES = ['viewer', 'support', 'admin'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

export const isAtLeast = (role: Role, least: Role): boolean =>
  ROLES.indexOf(role) >= ROLES.indexOf(least);

/** What an API key may do. A write scope does not include the read scope. */
export const SCOPES = [
  'clients:read',
  'clients:write',
  'projects:read',
  'projects:write',
  'licenses:read',
  'licenses:write',
  'licenses:suspend',
  'licenses:revoke',
  'certificates:write',
  'plans:read',
  'plans:write',
  'events:read',
  'webhooks:read',
  'webhooks:write',
  'dashboard:read',
] as const;
export type Scope = (typeof SCOPES)[number];

export interface Access {
  /** The lowest role a member needs. */
  readonly role: Role;
  /** The scopes an API key needs, all of them; empty if the operation requires a session. */
  readonly scopes: readonly Scope[];
  /** The additional scopes it needs if `withLicenses` is true. */
  readonly withLicenses?: readonly Scope[];
  /** Alternatives; the handler checks which of them the body requires. */
  readonly or?: readonly Access[];
  /** Whether a session needs to have proved the password or a second factor in the last ten minutes. */
  readonly stepUp?: true;
  /** Whether a member can call it without the second factor that the account requires. */
  readonly withoutFactor?: true;
}

const allow = (role: Role, ...scopes: readonly Scope[]): Access => ({ role, scopes });
const session = (role: Role): Access => ({ role, scopes: [] });
const recentSession = (role: Role): Access => ({ ...session(role), stepUp: true });

/** Who may call each authenticated operation, by method name. The app refuses to start if a route is missing here. */
const OPERATIONS: Readonly<Record<string, Access>> = {
  getMe: { ...session('viewer'), withoutFactor: true },
  listFactors: { ...session('viewer'), withoutFactor: true },
  setUpTotp: { ...recentSession('viewer'), withoutFactor: true },
  confirmTotp: { ...recentSession('viewer'), withoutFactor: true },
  createPasskeyOptions: { ...recentSession('viewer'), withoutFactor: true },
  createPasskey: { ...recentSession('viewer'), withoutFactor: true },
  deleteFactor: recentSession('viewer'),
  createRecoveryCodes: recentSession('viewer'),
  createStepUpOptions: { ...session('viewer'), withoutFactor: true },
  stepUp: { ...session('viewer'), withoutFactor: true },
  getAccountPolicy: { ...session('viewer'), withoutFactor: true },
  updateAccountPolicy: recentSession('owner'),
  changePassword: session('viewer'),
  changeEmail: recentSession('viewer'),
  listSessions: session('viewer'),
  endSession: session('viewer'),
  endOtherSessions: session('viewer'),

  createApiKey: recentSession('admin'),
  listApiKeys: session('admin'),
  deleteApiKey: recentSession('admin'),
  inviteMember: recentSession('admin'),
  listMembers: session('admin'),
  updateMember: recentSession('admin'),
  removeMember: recentSession('admin'),

  listMails: session('admin'),
  retryMail: session('admin'),

  getSigningKeys: session('viewer'),
  // The proof is in the body.
  rotateSigningKeys: session('owner'),

  listClients: allow('viewer', 'clients:read'),
  getClient: allow('viewer', 'clients:read'),
  createClient: allow('admin', 'clients:write'),
  updateClient: allow('admin', 'clients:write'),
  // `withLicenses` also deletes the client's projects.
  deleteClient: {
    ...allow('admin', 'clients:write'),
    withLicenses: ['projects:write', 'licenses:revoke'],
  },
  getPersonalData: allow('admin', 'clients:write'),
  eraseClient: allow('admin', 'clients:write'),

  getPortal: session('admin'),
  updatePortal: session('admin'),
  createPortalLink: session('support'),

  listProjects: allow('viewer', 'projects:read'),
  getProject: allow('viewer', 'projects:read'),
  createProject: allow('admin', 'projects:write', 'licenses:write'),
  updateProject: allow('admin', 'projects:write'),
  deleteProject: { ...allow('admin', 'projects:write'), withLicenses: ['licenses:revoke'] },

  listLicenses: allow('viewer', 'licenses:read'),
  getLicense: allow('viewer', 'licenses:read'),
  lookUpLicense: allow('viewer', 'licenses:read'),
  exportLicenses: allow('viewer', 'licenses:read'),
  listMachines: allow('viewer', 'licenses:read'),
  listLicensesOfMachine: allow('viewer', 'licenses:read'),
  createLicense: allow('admin', 'licenses:write'),
  createLicenses: allow('admin', 'licenses:write'),
  importLicenses: allow('admin', 'clients:write', 'projects:write', 'licenses:write'),
  exportLicenseKeys: allow('admin', 'licenses:read', 'licenses:write'),
  updateLicense: allow('admin', 'licenses:write'),
  renewLicense: allow('support', 'licenses:suspend'),
  suspendLicense: allow('support', 'licenses:suspend'),
  resumeLicense: allow('support', 'licenses:suspend'),
  changeLicenses: {
    ...allow('support', 'licenses:suspend'),
    or: [allow('support', 'licenses:revoke'), allow('admin', 'licenses:write')],
  },
  revokeLicense: allow('support', 'licenses:revoke'),
  reissueLicense: allow('support', 'licenses:write', 'licenses:revoke'),
  releaseMachineOfLicense: allow('support', 'licenses:revoke'),
  revokeLicenses: allow('admin', 'licenses:revoke'),
  issueCertificate: allow('admin', 'certificates:write'),

  listBin: allow('admin', 'clients:read', 'projects:read', 'licenses:read'),
  restore: allow('admin', 'clients:write', 'projects:write', 'licenses:write'),
  eraseFromBin: allow('admin', 'clients:write', 'projects:write', 'licenses:revoke'),

  listPlans: allow('viewer', 'plans:read'),
  getPlan: allow('viewer', 'plans:read'),
  createPlan: allow('admin', 'plans:write'),
  updatePlan: allow('admin', 'plans:write'),
  deletePlan: allow('admin', 'plans:write'),

  listEvents: allow('viewer', 'events:read'),
  exportEvents: allow('viewer', 'events:read'),
  listLicenseEvents: allow('viewer', 'events:read'),

  listWebhooks: allow('admin', 'webhooks:read'),
  getWebhook: allow('admin', 'webhooks:read'),
  listDeliveries: allow('admin', 'webhooks:read'),
  // Its body may belong to an account event, which no API key may read.
  getDelivery: session('admin'),
  // A webhook sends events and licenses to any URL its creator chooses.
  createWebhook: allow('admin', 'webhooks:write', 'events:read', 'licenses:read'),
  updateWebhook: allow('admin', 'webhooks:write', 'events:read', 'licenses:read'),
  deleteWebhook: allow('admin', 'webhooks:write'),
  testWebhook: allow('admin', 'webhooks:write'),
  redeliver: allow('admin', 'webhooks:write'),
  rotateWebhookSecret: session('admin'),

  listMailTemplates: session('admin'),
  putMailTemplate: session('admin'),
  testMailTemplate: session('admin'),
  sendLicenseKey: allow('support', 'licenses:write'),

  // Finding clients, projects and plans requires their own scopes.
  search: allow('viewer', 'licenses:read'),
  getDashboard: allow('viewer', 'dashboard:read'),
  getSummary: allow('viewer', 'dashboard:read'),
};

/** @throws Error if the operation has no row, which is a bug */
export function accessTo(operation: string): Access {
  if (!Object.hasOwn(OPERATIONS, operation)) {
    throw new Error(`${operation} is neither public nor in the table of operations`);
  }
  return OPERATIONS[operation]!;
}
