import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyRequest } from 'fastify';
import { addressOf } from '../http/client-address.js';
import type { AccountId } from '../shared/ids.js';
import type { Principal, UserPrincipal } from './principal.js';
import type { Device } from './sessions/session.js';

/** Maximum length of a stored user agent, in characters. */
const MAX_USER_AGENT = 200;

/** Exempts a route, or every route of a controller, from authentication. */
export const Public = Reflector.createDecorator<void, true>({ transform: () => true });

const callerOf = <P extends Principal>(_data: unknown, context: ExecutionContext): P =>
  context.switchToHttp().getRequest<{ user: P }>().user;

/** The member who sends the request, on operations that require a session. */
export const CurrentUser = createParamDecorator(callerOf<UserPrincipal>);

/** The member or API key that sends the authenticated request. */
export const Caller = createParamDecorator(callerOf<Principal>);

/** The account of the authenticated request. */
export const Account = createParamDecorator(
  (data: unknown, context): AccountId => callerOf(data, context).accountId,
);

/** Where a request comes from. Node reads headers as latin1, so there are no lone surrogates. */
export const From = createParamDecorator((_data: unknown, context: ExecutionContext): Device => {
  const request = context.switchToHttp().getRequest<FastifyRequest>();
  const userAgent = request.headers['user-agent']?.slice(0, MAX_USER_AGENT) ?? null;
  return { address: addressOf(request), userAgent };
});
