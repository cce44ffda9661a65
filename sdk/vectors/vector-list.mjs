import { CURRENT, FINGERPRINT, ISSUER, NEXT, NOW, PRISTINE, PRODUCT } from './certificates.mjs';

export const vectors = [];

/** Adds a valid vector; `changes` are the members that differ from the defaults. */
export function accept(name, changes = {}) {
  add(name, { state: 'valid', reason: null }, changes);
}

/** Adds a valid vector whose status has these members, too, for each of the cases, `{ name: changes }`. */
export function acceptWith(members, cases) {
  for (const [name, changes] of Object.entries(cases)) {
    add(name, { state: 'valid', reason: null, ...members }, changes);
  }
}

/** Adds a vector of this state and reason for each of the cases, `{ name: changes }`; its status has these members, too. */
export function reject(state, reason, cases, members = {}) {
  for (const [name, changes] of Object.entries(cases)) {
    add(name, { state, reason, ...members }, changes);
  }
}

function add(name, expected, changes) {
  vectors.push({
    name,
    certificate: PRISTINE,
    keys: [CURRENT.jwk, NEXT.jwk],
    issuer: ISSUER,
    product: PRODUCT,
    fingerprint: FINGERPRINT,
    now: NOW,
    rememberedTime: 0,
    rejection: null,
    ...changes,
    expected,
  });
}
