import { parseSetCookie } from 'cookie';
import type { HttpCaller, HttpResponse } from '../../http-caller.js';
import { type Developer, PASSWORD } from '../developer.js';

/** The cookies that a response sets, with their attributes. */
export const cookiesOf = ({ headers }: HttpResponse) =>
  headers.getSetCookie().map((each) => parseSetCookie(each));

/** A page of the console in a browser, which keeps the cookie of its session. */
export class Browser {
  /** `name=value`; undefined without a session. */
  cookie: string | undefined;

  constructor(
    private readonly app: HttpCaller,
    /** Headers of each request. */
    private readonly headers: Readonly<Record<string, string>> = {},
  ) {}

  logIn({ email }: Pick<Developer, 'email'>, password = PASSWORD): Promise<HttpResponse> {
    return this.send('POST', '/console/session', JSON.stringify({ email, password }));
  }

  refresh(headers: Readonly<Record<string, string>> = {}): Promise<HttpResponse> {
    return this.send('POST', '/console/session/refresh', undefined, headers);
  }

  logOut(headers: Readonly<Record<string, string>> = {}): Promise<HttpResponse> {
    return this.send('DELETE', '/console/session', undefined, headers);
  }

  async send(
    method: string,
    path: string,
    body?: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<HttpResponse> {
    const response = await this.app.send(method, path, body, {
      headers: { ...(this.cookie && { Cookie: this.cookie }), ...this.headers, ...headers },
    });
    for (const { name, value, maxAge } of cookiesOf(response)) {
      this.cookie = maxAge === 0 ? undefined : `${name}=${value}`;
    }
    return response;
  }
}
