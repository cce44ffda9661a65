import { type KeyObject, verify } from 'node:crypto';
import { decodeUtf8, isObject, parseJson } from './json.js';
import type { SigningKeys } from './signing-keys.js';
import type { Damage } from './status.js';

const MAX_CHARACTERS = 4096;

/**
 * The payload of a compact JWS of this `typ` signed by one of the keys, which is the first part of rule 1.
 * It is parsed only after its signature is verified.
 */
export function readJws(text: string, typ: string, keys: SigningKeys): Jws {
  if (text.length > MAX_CHARACTERS) return damaged('format');
  const parts = text.split('.');
  if (parts.length !== 3 || !parts.every(isCanonical)) return damaged('format');
  const [header, payload, signature] = parts.map((part) => Buffer.from(part, 'base64url'));

  const json = decodeUtf8(header!);
  const members = parseJson(json);
  if (members === undefined) return damaged('format');
  if (!isHeader(members, typ) || countMembers(json!) !== 3) return damaged('header');

  const key = keys.get(members.kid as string);
  if (!key) return damaged('key');
  if (!isSigned(`${parts[0]}.${parts[1]}`, signature!, key)) return damaged('signature');

  const value = parseJson(decodeUtf8(payload!));
  if (value === undefined) return damaged('format');
  return isObject(value) ? { claims: value } : damaged('claims');
}

type Jws =
  | { readonly claims: Readonly<Record<string, unknown>>; readonly damage?: undefined }
  | { readonly damage: Damage };

function damaged(damage: Damage): Jws {
  return { damage };
}

/** Node's decoder ignores foreign characters, padding and unused bits, so the result is encoded again and compared. */
function isCanonical(part: string): boolean {
  return Buffer.from(part, 'base64url').toString('base64url') === part;
}

function isHeader(value: unknown, typ: string): value is { kid: unknown } {
  return (
    isObject(value) &&
    Object.keys(value).sort().join() === 'alg,kid,typ' &&
    value.alg === 'EdDSA' &&
    value.typ === typ
  );
}

/**
 * The number of members in the text of an object. A repeated name counts twice, because JSON.parse keeps
 * only the last. Nested members do not count.
 */
function countMembers(json: string): number {
  let depth = 0;
  let count = 0;
  for (const [token, colon] of json.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?|[[{\]}]/g)) {
    if ('[{'.includes(token)) depth += 1;
    else if (']}'.includes(token)) depth -= 1;
    else if (colon !== undefined && depth === 1) count += 1;
  }
  return count;
}

function isSigned(input: string, signature: Buffer, key: KeyObject): boolean {
  return verify(null, Buffer.from(input), key, signature);
}
