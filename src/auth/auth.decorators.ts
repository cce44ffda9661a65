import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { AccountId } from '../shared/ids/account-id.js';
import type { Principal, UserPrincipal } from './principal.js';

/** Marks a route, or every route of a controller, as accessible without an access token. */
export const Public = Reflector.createDecorator<void, true>({ transform: () => true });

/** The member that sends a request of an operation that takes a session. */
export const CurrentUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext): UserPrincipal =>
    context.switchToHttp().getRequest<{ user: UserPrincipal }>().user,
);

/** The member or the API key that sends an authenticated request. */
export const Caller = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Principal =>
    context.switchToHttp().getRequest<{ user: Principal }>().user,
);

/** The account of an authenticated request. */
export const Account = createParamDecorator(
  (_data: unknown, context: ExecutionContext): AccountId =>
    context.switchToHttp().getRequest<{ user: Principal }>().user.accountId,
);
