export { License } from './license.js';
export { LicenseError, type LicenseErrorCode } from './license-error.js';
export type { LicenseOptions } from './options.js';
export type { PublicJwk } from './signing-keys.js';
export type { Reason, State, Status } from './status.js';
export type { Fetch, FetchInit, FetchResponse } from './transport.js';
