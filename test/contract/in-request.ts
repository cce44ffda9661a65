import { type RequestContext, requestContext } from '../../src/shared/request-context.js';

/** Does the work for a request that has this many milliseconds. */
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
