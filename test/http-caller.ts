import { randomUUID } from 'node:crypto';
import type { MemberRole } from '../src/auth/access/operations.js';
import { ResponseChecker } from './document/response-checker.js';
import { EXPORT_TYPES, readDocument } from './document/openapi-document.js';
import {
  type CreatedLicense,
  type Developer,
  LAPTOP,
  type LoggedInDeveloper,
  PASSWORD,
  type SigningKeys,
} from './e2e/developer.js';
import { exchange } from './http-exchange.js';
import { SecretWatch } from './secret-watch.js';

/** A response of the service, as a consumer sees it. */
export interface HttpResponse {
  readonly status: number;
  readonly headers: Headers;
  /** The parsed JSON body; undefined without a body. */
  // Tests read bodies of every shape; the response checker checks their types.
  // oxlint-disable-next-line typescript/no-explicit-any
  readonly body: any;
}

export interface Call {
  readonly token?: string;
  readonly headers?: Record<string, string>;
  /** The caller's address, as forwarded by a trusted proxy. */
  readonly from?: string;
}

/** The routes of shipped software that issue certificates. */
export type CheckRoute = '/validate' | '/validate/activate' | '/validate/heartbeat';

/** The address of the customer portal of the service under test. */
export const PORTAL_URL = 'http://portal.localhost';
const PORTAL_PAGE = { Host: 'portal.localhost', Origin: PORTAL_URL };

const TERMS = { duration: 6, services: ['Hosting'] };

let checker: ResponseChecker | undefined;

/**
 * Calls the service over HTTP like developers and their software, checks every response against the committed document, and
 * remembers the secrets.
 */
export class HttpCaller {
  protected readonly secrets = new SecretWatch();

  constructor(public url: string) {}

  get(path: string, call: Call = {}): Promise<HttpResponse> {
    return this.send('GET', path, undefined, call);
  }

  post(path: string, body: unknown, call: Call = {}): Promise<HttpResponse> {
    return this.send('POST', path, JSON.stringify(body), call);
  }

  put(path: string, body: unknown, call: Call = {}): Promise<HttpResponse> {
    return this.send('PUT', path, JSON.stringify(body), call);
  }

  patch(path: string, body: unknown, call: Call = {}): Promise<HttpResponse> {
    return this.send('PATCH', path, JSON.stringify(body), call);
  }

  delete(path: string, call: Call = {}): Promise<HttpResponse> {
    return this.send('DELETE', path, undefined, call);
  }

  /** Sends a body unchanged, JSON or not. */
  async send(
    method: string,
    path: string,
    body: string | Uint8Array<ArrayBuffer> | undefined,
    { token, headers, from }: Call = {},
  ): Promise<HttpResponse> {
    const allHeaders = {
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...(token && { Authorization: `Bearer ${token}` }),
      ...(from && { 'X-Forwarded-For': from }),
      // As a browser sends it from the console's own page.
      ...(path.startsWith('/console/session') && { Origin: new URL(this.url).origin }),
      // As a browser sends it from the portal's own page.
      ...(path.startsWith('/portal/') && PORTAL_PAGE),
      ...headers,
    };
    this.secrets.sent(body, allHeaders, path);
    const request = { method, headers: allHeaders, body };
    const { text, ...head } = await exchange(this.url + path, request);
    this.secrets.responded(head.status, text, head.headers.getSetCookie());
    const contentType = head.headers.get('content-type') ?? '';
    const isText = EXPORT_TYPES.some((type) => contentType.startsWith(type));
    const parsed = () => (text ? (JSON.parse(text) as unknown) : undefined);
    const response = { ...head, body: isText ? text : parsed() };
    checker ??= new ResponseChecker(readDocument());
    checker.check({ method, url: path, ...response });
    return response;
  }

  async register(fields: object = {}, call?: Call): Promise<LoggedInDeveloper> {
    const email = `${randomUUID()}@example.com`;
    const account = { name: 'Ada', email, password: PASSWORD, ...fields };
    const { body } = await this.post('/auth/register', account, call);
    return { _id: body.user._id, email: account.email, ...tokensOf(body) };
  }

  /** The developer with a new session, for tests that move the clock past the end of the first one. */
  async logIn(developer: Developer, password = PASSWORD): Promise<LoggedInDeveloper> {
    const { body } = await this.post('/auth/login', { email: developer.email, password });
    return { ...developer, ...tokensOf(body) };
  }

  refresh({ refreshToken }: { refreshToken?: string }): Promise<HttpResponse> {
    return this.post('/auth/refresh', { refreshToken });
  }

  invite(by: Call, role: MemberRole = 'support', email = newEmail()): Promise<HttpResponse> {
    return this.post('/members', { email, role }, by);
  }

  accept(invitation: string, fields: object = {}): Promise<HttpResponse> {
    const joining = { invitation, name: 'Grace', password: PASSWORD, ...fields };
    return this.post('/auth/invitations/accept', joining);
  }

  /** A new member of a developer's account, logged in. */
  async addMember(owner: Developer, role?: MemberRole): Promise<LoggedInDeveloper> {
    const { invitation } = (await this.invite(owner, role)).body;
    const { body } = await this.accept(String(invitation));
    const { _id, email } = body.user as { _id: string; email: string };
    return { _id, email, ...tokensOf(body) };
  }

  /** A new API key, by its secret. */
  async addApiKey(by: Call, scopes: readonly string[], fields: object = {}) {
    const { body } = await this.post('/api-keys', { name: 'Checkout', scopes, ...fields }, by);
    return { _id: body.apiKey._id as string, token: body.secret as string };
  }

  /** A client of the developer, with a unique email address. */
  async createClient(by: Call, fields: object = {}) {
    const client = { name: 'Acme Ltd', email: `${randomUUID()}@acme.example`, ...fields };
    const { body } = await this.post('/clients', client, by);
    return body.client as { _id: string; name: string; email: string; createdAt: string };
  }

  /** A project of a client, with its first license, not activated. */
  async createProject(by: Call, clientId: string, fields: object = {}) {
    const body = { clientId, projectName: 'Web shop', ...TERMS, ...fields };
    const response = await this.post('/projects/createProject', body, by);
    return response.body as { project: { _id: string; client: string }; license: CreatedLicense };
  }

  /** A license of a new project and client, not activated. */
  async createLicense(by: Call, terms?: object): Promise<CreatedLicense> {
    const client = await this.createClient(by);
    return (await this.createProject(by, client._id, terms)).license;
  }

  /** The same, activated on the laptop. */
  async createActiveLicense(by: Call, terms?: object): Promise<CreatedLicense> {
    const license = await this.createLicense(by, terms);
    await this.activate(license, LAPTOP);
    return license;
  }

  /** Another license of a project, not activated. */
  async addLicense(by: Call, project: string, terms: object = {}): Promise<CreatedLicense> {
    const path = `/projects/${project}/licenses`;
    return (await this.post(path, { ...TERMS, ...terms }, by)).body.license;
  }

  /** Adds many licenses to a project, not activated. @returns their keys */
  async addLicenses(by: Call, project: string, count: number, terms = {}): Promise<string[]> {
    const keys: string[] = [];
    for (let left = count; left > 0; left -= 100) {
      const batch = { ...TERMS, ...terms, count: Math.min(left, 100) };
      const { body } = await this.post(`/projects/${project}/licenses/batch`, batch, by);
      keys.push(...(body.licenses as { key: string }[]).map(({ key }) => key));
    }
    return keys;
  }

  /** Activates a license on the service's machine, or on the machine with a fingerprint. */
  activate({ key }: { key: string }, fingerprint?: string): Promise<HttpResponse> {
    return this.post('/validate/activate', { key, fingerprint });
  }

  /** All items of a list, from the first page to the last. The path may have a query. */
  async readPages<T extends { readonly _id: string }>(path: string, by: Call): Promise<T[]> {
    const shown: T[] = [];
    const cursors = new Set<string>();
    for (let next = path; ;) {
      const { status, body } = await this.get(next, by);
      expect(status).toBe(200);
      shown.push(...body.data);
      if (body.nextCursor === null) return shown;
      // A cyclic list would never end.
      expect(cursors).not.toContain(body.nextCursor);
      cursors.add(body.nextCursor);
      next = `${path}${path.includes('?') ? '&' : '?'}cursor=${body.nextCursor}`;
    }
  }

  /** A license as its vendor sees it. */
  async readLicense(by: Call, { _id }: { _id: string }) {
    return (await this.get(`/licenses/${_id}`, by)).body;
  }

  /** Requests a certificate for the laptop, for 30 days. */
  issueCertificate(by: Call, { _id, project }: CreatedLicense, fields: object = {}) {
    const body = { fingerprint: LAPTOP, product: project, days: 30, ...fields };
    return this.post(`/licenses/${_id}/certificates`, body, by);
  }

  /** Activates a license on the laptop, or validates it there, with a certificate. */
  requestCertificate(path: CheckRoute, { key, project }: CreatedLicense, fields: object = {}) {
    const body = { key, fingerprint: LAPTOP, product: project, certificate: true, ...fields };
    return this.post(path, body);
  }

  /** A developer's signing keys, created on the first call. */
  async signingKeysOf(by: Call): Promise<SigningKeys> {
    return (await this.get('/signing-keys', by)).body;
  }

  /** The latest events of a license, newest first. */
  async eventsOf(by: Call, { _id }: { _id: string }) {
    const { body } = await this.get(`/licenses/${_id}/events?limit=100`, by);
    return body.data as { type: string; at: string; data: Readonly<Record<string, unknown>> }[];
  }

  /** The status of a license, validated on the same machine. */
  async validationOf({ key }: { key: string }, fingerprint?: string): Promise<string> {
    return (await this.post('/validate', { key, fingerprint })).body.status;
  }
}

export const newEmail = (): string => `${randomUUID()}@studio.example`;

const tokensOf = (body: { accessToken: string; refreshToken: string }) => ({
  token: body.accessToken,
  refreshToken: body.refreshToken,
});
