import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { operations } from '../api/schema.js';

const params = (id: string, key: string) => ({
  path: { id },
  header: { 'Idempotency-Key': key },
});

/** Drops the license in the response, because it contains the key. */
const withoutBody = () => undefined;

export const revoke = (id: string, body: { reason?: string }, key: string) =>
  bodyOf(api.POST('/licenses/{id}/revoke', { params: params(id, key), body })).then(withoutBody);

export const suspend = (id: string, body: { reason?: string }, key: string) =>
  bodyOf(api.POST('/licenses/{id}/suspend', { params: params(id, key), body })).then(withoutBody);

export const resume = (id: string, key: string) =>
  bodyOf(api.POST('/licenses/{id}/resume', { params: params(id, key) })).then(withoutBody);

export type LicenseChanges = NonNullable<
  operations['updateLicense']['requestBody']
>['content']['application/json'];

export const update = (id: string, body: LicenseChanges) =>
  bodyOf(api.PATCH('/licenses/{id}', { params: { path: { id } }, body })).then(withoutBody);

export const sendKey = (id: string, key: string) =>
  bodyOf(api.POST('/licenses/{id}/send', { params: params(id, key) }));

export const releaseMachine = (id: string, machineId: string) =>
  bodyOf(
    api.DELETE('/licenses/{id}/machines/{machineId}', { params: { path: { id, machineId } } }),
  );

export const renew = (id: string, body: { duration: number }, key: string) =>
  bodyOf(api.POST('/licenses/{id}/renew', { params: params(id, key), body })).then(withoutBody);

export const reissue = (
  id: string,
  body: { duration?: number; keepMachines?: boolean },
  key: string,
) => bodyOf(api.POST('/licenses/{id}/reissue', { params: params(id, key), body }));
