import { ApiError } from '../api/api-error.js';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { License } from '../api/types.js';
import { describeError } from '../shared/error-description.js';

/** Maximum number of licenses per request. */
export const BATCH_SIZE = 100;

/** A license that was not changed. */
export interface Failure {
  readonly license: License;
  readonly reason: string;
}

/**
 * Changes licenses with one request.
 *
 * @returns the licenses the service rejected
 * @throws ApiError if time ran out; sending it again with the same key changes the rest
 */
export async function changeTogether(
  operation: 'renew' | 'suspend' | 'resume' | 'revoke',
  licenses: readonly License[],
  fields: { readonly duration?: number; readonly reason?: string },
  key: string,
): Promise<readonly Failure[]> {
  const params = { header: { 'Idempotency-Key': key } };
  const items = licenses.map(({ _id: id }) => ({ id, ...fields }));
  const { results } = await bodyOf(
    api.POST('/licenses/batch', { params, body: { operation, items } }),
  );
  const errors = results.map(({ status, code, message = '' }) =>
    code === undefined ? null : new ApiError(status, { code, message }, null),
  );
  const unfinished = errors.find((error) => error?.status === 503);
  if (unfinished) throw unfinished;
  return licenses.flatMap((license, index) => {
    const error = errors[index];
    return error ? [{ license, reason: describeError(error).message }] : [];
  });
}
