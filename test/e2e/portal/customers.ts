import { parseSetCookie } from 'cookie';
import type { TestApp } from '../../app.js';
import type { Call, HttpResponse } from '../../http-caller.js';
import { useDeveloper } from '../use-app.js';

/** One pixel. */
export const LOGO =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII=';

export const SETTINGS = { enabled: true, name: 'Studio Ada' };

/** The cookie that a response sets, with its attributes. */
export const cookieOf = ({ headers }: HttpResponse) =>
  parseSetCookie(headers.getSetCookie()[0] ?? '');

/** The client of a portal in its browser. */
export class Customer {
  /** `name=value`; empty while signed out. */
  cookie = '';

  constructor(
    private readonly app: TestApp,
    readonly issuer: string,
    readonly headers: Record<string, string> = {},
  ) {}

  async signIn(by: Call, client: string): Promise<HttpResponse> {
    const { body } = await this.app.post(`/clients/${client}/portal-link`, {}, by);
    return this.open(String(body.link));
  }

  async open(link: string): Promise<HttpResponse> {
    const token = link.replace(/.*#/, '');
    return this.send('POST', 'session', JSON.stringify({ token }));
  }

  licenses(query = ''): Promise<HttpResponse> {
    return this.send('GET', `licenses${query}`);
  }

  release({ _id }: { _id: string }, machineId: string): Promise<HttpResponse> {
    return this.send('DELETE', `licenses/${_id}/machines/${machineId}`);
  }

  async send(method: string, path: string, body?: string): Promise<HttpResponse> {
    const headers = { ...(this.cookie && { Cookie: this.cookie }), ...this.headers };
    const response = await this.app.send(method, `/portal/${this.issuer}/${path}`, body, {
      headers,
    });
    const [set] = response.headers.getSetCookie();
    if (set) this.cookie = set.split(';')[0]!;
    return response;
  }
}

/**
 * Before each test of the calling block, registers a developer with a portal and a client, whose browser is signed out. Their fields
 * are empty until the first test.
 */
export function useCustomer() {
  const [app, ada] = useDeveloper();
  const client = {} as Awaited<ReturnType<typeof app.createClient>>;
  const customer = new Customer(app, '');
  beforeEach(async () => {
    await app.put('/portal', SETTINGS, ada);
    Object.assign(client, await app.createClient(ada));
    Object.assign(customer, new Customer(app, ada._id));
  });
  return { app, ada, client, customer };
}
