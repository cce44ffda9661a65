import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { SESSION_LIFE } from './portal-session.js';

/** The cookie with the token of a client's session in one issuer's portal. */
export class PortalCookie {
  private readonly isSecure: boolean;
  private readonly name: string;

  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
  ) {
    const { issuer } = request.params as { readonly issuer: string };
    this.isSecure = request.protocol === 'https';
    // Browsers accept this prefix only from the host itself, over TLS.
    this.name = `${this.isSecure ? '__Host-' : ''}portal-${issuer.toLowerCase()}`;
  }

  /** The token. It is empty if there is none, and no session has an empty token. */
  read(): string {
    return parseCookie(this.request.headers.cookie ?? '')[this.name] ?? '';
  }

  store(token: string): void {
    this.set(token, SESSION_LIFE / 1000);
  }

  clear(): void {
    this.set('', 0);
  }

  /** @param maxAge in seconds */
  private set(value: string, maxAge: number): void {
    const { name, isSecure: secure } = this;
    const attributes = { path: '/', httpOnly: true, sameSite: 'strict', secure, maxAge } as const;
    this.reply.header('Set-Cookie', stringifySetCookie({ name, value, ...attributes }));
  }
}

/** The {@link PortalCookie} of a request and its response, as a parameter. */
export const Cookie = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const http = context.switchToHttp();
  return new PortalCookie(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
});
