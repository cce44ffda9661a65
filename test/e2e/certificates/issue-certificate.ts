import { createHash } from 'node:crypto';
import type { HttpCaller } from '../../http-caller.js';
import { type CreatedLicense, type Developer, LAPTOP } from '../developer.js';

/** Requests a certificate for the laptop, for 30 days. */
export const issueCertificate = (
  app: HttpCaller,
  { token }: Developer,
  { _id, project }: CreatedLicense,
  fields: object = {},
) => {
  const body = { fingerprint: LAPTOP, product: project, days: 30, ...fields };
  return app.post(`/licenses/${_id}/certificates`, body, { token });
};

/** Activates a license on the laptop, or validates it there, with a certificate. */
export const requestCertificate = (
  app: HttpCaller,
  path: '/validate' | '/validate/activate' | '/validate/heartbeat',
  { key, project }: CreatedLicense,
  fields: object = {},
) => app.post(path, { key, fingerprint: LAPTOP, product: project, certificate: true, ...fields });

/** `check` of a request, as the software that requests a certificate computes it. */
export const checkOf = (product: string, fingerprint: string): string =>
  createHash('sha256')
    .update(`license-request:v1\n${product}\n${fingerprint}`)
    .digest('hex')
    .slice(0, 8);
