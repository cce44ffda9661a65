import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { REFRESH_TOKEN_LIFE } from '../auth/sessions/session.js';
import type { TokenPair } from '../auth/sessions/sessions.service.js';

/**
 * Limited to the base path. Only the session routes receive the cookie. The prefix `__Host-` would require
 * the path `/`.
 */
const PATH = '/console/session';

/** The cookie that stores a session's refresh token in the browser, out of reach of scripts. */
export class SessionCookie {
  private readonly isSecure: boolean;
  private readonly name: string;

  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
  ) {
    this.isSecure = request.protocol === 'https';
    this.name = this.isSecure ? '__Secure-console-session' : 'console-session';
  }

  /** The refresh token of the request. It is empty if there is none, and no session has an empty token. */
  read(): string {
    return parseCookie(this.request.headers.cookie ?? '')[this.name] ?? '';
  }

  /** Stores the refresh token of a pair in the cookie and returns the rest for the response body. */
  store({ refreshToken, ...rest }: TokenPair): Omit<TokenPair, 'refreshToken'> {
    this.set(refreshToken, REFRESH_TOKEN_LIFE / 1000);
    return rest;
  }

  clear(): void {
    this.set('', 0);
  }

  /** @param maxAge in seconds */
  private set(value: string, maxAge: number): void {
    const { name, isSecure: secure } = this;
    const path = this.request.basePath + PATH;
    const attributes = { path, httpOnly: true, sameSite: 'strict', secure, maxAge } as const;
    this.reply.header('Set-Cookie', stringifySetCookie({ name, value, ...attributes }));
  }
}

/** The {@link SessionCookie} of a request and its response, as a parameter. */
export const Cookie = createParamDecorator((_data: unknown, context: ExecutionContext) => {
  const http = context.switchToHttp();
  return new SessionCookie(http.getRequest<FastifyRequest>(), http.getResponse<FastifyReply>());
});
