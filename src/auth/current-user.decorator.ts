import { type ExecutionContext, createParamDecorator } from '@nestjs/common';
import type { Principal } from './principal.js';

/** The principal of an authenticated request. */
export const CurrentUser = createParamDecorator(
  (_data: unknown, context: ExecutionContext): Principal =>
    context.switchToHttp().getRequest<{ user: Principal }>().user,
);
