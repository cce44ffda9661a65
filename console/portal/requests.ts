import { ApiError } from '../src/api/api-error.js';
import { bodyOf, publicApi } from '../src/api/public-client.js';
import type { components } from '../src/api/schema.js';

type Schemas = components['schemas'];

export type Vendor = Schemas['PortalPageDto'];
export type CustomerLicense = Schemas['CustomerLicenseDto'];
export type CustomerMachine = Schemas['CustomerMachineDto'];
export type Licenses = Schemas['CustomerLicenseList'];

/** The requests of one vendor's portal. */
export function requestsOf(issuer: string) {
  const path = { issuer };
  return {
    readVendor: () => bodyOf(publicApi.GET('/portal/{issuer}', { params: { path } })),
    askForLink: (email: string) =>
      bodyOf(publicApi.POST('/portal/{issuer}/login', { params: { path }, body: { email } })),
    signIn: (token: string) =>
      bodyOf(publicApi.POST('/portal/{issuer}/session', { params: { path }, body: { token } })),
    signOut: () => bodyOf(publicApi.DELETE('/portal/{issuer}/session', { params: { path } })),
    readLicenses: (query: { readonly cursor?: string; readonly limit?: number } = {}) =>
      bodyOf(publicApi.GET('/portal/{issuer}/licenses', { params: { path, query } })),
    sendKey: (id: string) =>
      bodyOf(
        publicApi.POST('/portal/{issuer}/licenses/{id}/send', { params: { path: { issuer, id } } }),
      ),
    release: (id: string, machineId: string) =>
      bodyOf(
        publicApi.DELETE('/portal/{issuer}/licenses/{id}/machines/{machineId}', {
          params: { path: { issuer, id, machineId } },
        }),
      ),
  };
}

export type Requests = ReturnType<typeof requestsOf>;

/** The code of an error response; undefined for other errors. */
export const codeOf = (error: unknown): string | undefined =>
  error instanceof ApiError ? error.body.code : undefined;
