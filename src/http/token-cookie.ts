import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { parseCookie, stringifySetCookie } from 'cookie';
import type { FastifyReply, FastifyRequest } from 'fastify';

interface Declaration {
  readonly name: string;
  readonly path: string;
  /** In milliseconds. */
  readonly life: number;
}

/** The cookie in which a browser keeps a token, out of reach of scripts. */
export class TokenCookie {
  constructor(
    private readonly request: FastifyRequest,
    private readonly reply: FastifyReply,
    private readonly cookie: Declaration,
  ) {}

  /** The token of the request; empty without one, and no session has that. */
  read(): string {
    return parseCookie(this.request.headers.cookie ?? '')[this.cookie.name] ?? '';
  }

  store(token: string): void {
    this.set(token, this.cookie.life / 1000);
  }

  clear(): void {
    this.set('', 0);
  }

  /** @param maxAge in seconds */
  private set(value: string, maxAge: number): void {
    const { name, path } = this.cookie;
    const secure = isSecure(this.request);
    const attributes = { path, httpOnly: true, sameSite: 'strict', secure, maxAge } as const;
    this.reply.header('Set-Cookie', stringifySetCookie({ name, value, ...attributes }));
  }
}

const isSecure = ({ protocol }: FastifyRequest) => protocol === 'https';

/** Declares a parameter: the {@link TokenCookie} of a request and its response. */
export const tokenCookie = (declare: (request: FastifyRequest, isSecure: boolean) => Declaration) =>
  createParamDecorator((_data: unknown, context: ExecutionContext) => {
    const http = context.switchToHttp();
    const request = http.getRequest<FastifyRequest>();
    const declaration = declare(request, isSecure(request));
    return new TokenCookie(request, http.getResponse<FastifyReply>(), declaration);
  });
