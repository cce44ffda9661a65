import { type Customer, ISSUER, KEY } from './customer.js';
import { Issuer } from './issuer.js';

/** The fingerprint that a program of this machine has. */
export function requestOf(customer: Customer): { fingerprint: string } {
  const license = customer.license({ fingerprint: undefined });
  return JSON.parse(license.request()) as { fingerprint: string };
}

/** What the examples of C, C++ and C# read from their environment. */
export function environmentOf({ folder }: Customer, service: string): NodeJS.ProcessEnv {
  const [current, next] = [ISSUER.jwk, new Issuer().jwk].map((jwk) => JSON.stringify(jwk));
  const keys = { ISSUER: ISSUER.id, CURRENT_KEY: current, NEXT_KEY: next };
  return { ...process.env, ...keys, SERVICE: service, FOLDER: folder, KEY, no_proxy: '*' };
}
