import type { SigningKeys } from '../api/types.js';

/** The constant that the first program of the Node SDK's README takes its keys from. */
export const forNode = (keys: SigningKeys): string => `const SIGNING_KEYS = ${literal(keys)};`;

/** The same for the Python SDK. JSON of strings is a literal of Python, too. */
export const forPython = (keys: SigningKeys): string => `SIGNING_KEYS = ${literal(keys)}`;

const literal = ({ issuer, current, next }: SigningKeys) =>
  JSON.stringify({ issuer, current, next }, null, 2);

/** The address of the account's JWK Set. */
export const keySetAddress = ({ issuer }: SigningKeys, origin: string): string =>
  `${origin}/keys/${issuer}`;
