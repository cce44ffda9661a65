import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import { issue } from '../../sdk/vectors/certificates.mjs';

interface Statement {
  readonly key: string;
  readonly header: object;
  readonly claims: object;
}

/** Replaces `rejection: { sign }` in a body with the compact JWS that it describes. */
export function withSignature(body: unknown, keys: Readonly<Record<string, JsonWebKey>>): unknown {
  const { rejection } = Object(body) as { rejection?: { readonly sign?: Statement } };
  if (!rejection?.sign) return body;
  const { key, header, claims } = rejection.sign;
  const privateKey = createPrivateKey({ format: 'jwk', key: keys[key]! });
  const statement = issue({ header, payload: claims, key: { privateKey } });
  return { ...(body as object), rejection: statement };
}
