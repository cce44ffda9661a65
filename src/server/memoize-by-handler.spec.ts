import type { ExecutionContext } from '@nestjs/common';
import { memoizeByHandler } from './memoize-by-handler.js';

const contextOf = (handler: () => void) =>
  ({ getHandler: () => handler }) as unknown as ExecutionContext;

describe('memoizeByHandler', () => {
  it('reads each handler once, even if the value is undefined', () => {
    const [first, second] = [() => undefined, () => undefined];
    const read = jest.fn((context: ExecutionContext) =>
      context.getHandler() === first ? 'first' : undefined,
    );
    const known = memoizeByHandler(read);

    expect([first, second, first, second].map((handler) => known(contextOf(handler)))).toEqual([
      'first',
      undefined,
      'first',
      undefined,
    ]);
    expect(read).toHaveBeenCalledTimes(2);
  });
});
