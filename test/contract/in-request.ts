import { type RequestContext, requestContext } from '../../src/shared/request-context.js';

/** Runs work for a request with this many milliseconds left. */
export const inRequest = <T>(
  milliseconds: number,
  work: () => Promise<T>,
  fields: Partial<RequestContext> = {},
): Promise<T> =>
  requestContext.run(
    {
      ...{ requestId: 'id', address: '127.0.0.1', userAgent: null },
      ...{ endsAt: performance.now() + milliseconds },
      isLicenseCheck: false,
      ...fields,
    },
    work,
  );

/** Expects each call to be rejected because the store is unavailable. */
export async function expectUnavailable(calls: readonly Promise<unknown>[]): Promise<void> {
  for (const outcome of await Promise.allSettled(calls)) {
    const reason = { code: 'STORE_UNAVAILABLE', retryAfter: 1 };
    expect(outcome).toMatchObject({ status: 'rejected', reason });
  }
}
