import { Reflector } from '@nestjs/core';

/** Marks a route, or all of a controller, as needing no access token. */
export const Public = Reflector.createDecorator<void, true>({ transform: () => true });
