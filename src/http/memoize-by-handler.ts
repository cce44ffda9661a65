import type { ExecutionContext } from '@nestjs/common';

type Handler = ReturnType<ExecutionContext['getHandler']>;

/** Memoizes what a guard reads from a route's decorators; it is read at the route's first request. */
export function memoizeByHandler<T>(
  read: (context: ExecutionContext) => T,
): (context: ExecutionContext) => T {
  const known = new Map<Handler, T>();
  return (context) => {
    const handler = context.getHandler();
    const value = known.get(handler);
    if (value !== undefined || known.has(handler)) return value as T;
    const first = read(context);
    known.set(handler, first);
    return first;
  };
}
