import type { ExecutionContext } from '@nestjs/common';

type Handler = ReturnType<ExecutionContext['getHandler']>;

/** What a guard reads of a route's decorators, read at the route's first request only. */
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
