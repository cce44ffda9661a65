import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AccountId } from '../shared/ids/account-id.js';
import type { Principal, UserPrincipal } from './principal.js';

/** Marks a route, or every route of a controller, as accessible without an access token. */
export const Public = Reflector.createDecorator<void, true>({ transform: () => true });

const callerOf = <P extends Principal>(_data: unknown, context: ExecutionContext): P =>
  context.switchToHttp().getRequest<{ user: P }>().user;

/** The member that sends a request of an operation that takes a session. */
export const CurrentUser = createParamDecorator(callerOf<UserPrincipal>);

/** The member or the API key that sends an authenticated request. */
export const Caller = createParamDecorator(callerOf<Principal>);

/** The account of an authenticated request. */
export const Account = createParamDecorator(
  (data: unknown, context): AccountId => callerOf(data, context).accountId,
);
