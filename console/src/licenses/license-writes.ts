import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';

const params = (id: string, key: string) => ({
  path: { id },
  header: { 'Idempotency-Key': key },
});

/** Drops the license, which contains its key. */
const toMessage = ({ message }: { readonly message: string }) => ({ message });

export const revoke = (id: string, body: { reason?: string }, key: string) =>
  bodyOf(api.POST('/licenses/{id}/revoke', { params: params(id, key), body })).then(toMessage);

export const suspend = (id: string, key: string) =>
  bodyOf(api.POST('/licenses/{id}/suspend', { params: params(id, key) })).then(toMessage);

export const resume = (id: string, key: string) =>
  bodyOf(api.POST('/licenses/{id}/resume', { params: params(id, key) })).then(toMessage);

export const releaseMachine = (id: string, machineId: string) =>
  bodyOf(
    api.DELETE('/licenses/{id}/machines/{machineId}', { params: { path: { id, machineId } } }),
  );

export const renew = (id: string, body: { duration: number }, key: string) =>
  bodyOf(api.POST('/licenses/{id}/renew', { params: params(id, key), body })).then(toMessage);

export const reissue = (
  id: string,
  body: { duration?: number; keepMachines?: boolean },
  key: string,
) => bodyOf(api.POST('/licenses/{id}/reissue', { params: params(id, key), body }));
