import { CURRENT, FINGERPRINT, ISSUER, NEXT, NOW, PRISTINE, PRODUCT } from './certificates.mjs';

export const vectors = [];

/** Adds a valid vector; `changes` are the members that differ from the defaults. */
export function accept(name, changes = {}) {
  add(name, { state: 'valid', reason: null }, changes);
}

/** For each case in `{ name: changes }`, adds a valid vector whose status also has these members. */
export function acceptWith(members, cases) {
  for (const [name, changes] of Object.entries(cases)) {
    add(name, { state: 'valid', reason: null, ...members }, changes);
  }
}

/**
 * For each case in `{ name: changes }`, adds a vector with this state and reason whose status also has
 * these members.
 */
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
