import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import fs from 'node:fs';
import { issue } from '../../sdk/vectors/certificates.mjs';
import type { Thrown } from './runner-process.js';

/** docs/sdk-scenarios.md describes its members, as those of the next ones. */
export interface ScriptedReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  readonly text?: string;
  readonly repeat?: number;
  readonly pad?: number;
  readonly fault?: string;
  readonly meanwhile?: readonly Step[];
}

interface Expected {
  readonly returns?: unknown;
  readonly throws?: Partial<Thrown> & { readonly code: string; readonly option?: string };
  readonly requests?: readonly (string | { readonly path: string; readonly body: object })[];
  readonly unchanged?: true;
}

/** Exactly one of `replies`, `at`, `restart`, `call`, `disk`, `state` and `files`. */
export interface Step extends Expected {
  readonly replies?: readonly ScriptedReply[];
  readonly at?: number;
  readonly restart?: object;
  readonly call?: string;
  readonly argument?: string;
  readonly disk?: {
    readonly change?: object;
    readonly remove?: readonly string[];
    readonly text?: string;
    readonly base64?: string;
    readonly pad?: number;
    readonly member?: string;
    readonly add?: string;
    readonly pipe?: string;
  };
  readonly state?: object | null;
  readonly files?: readonly string[];
}

export interface Scenario {
  readonly name: string;
  readonly program?: object;
  readonly steps: readonly Step[];
}

interface Scenarios {
  readonly now: number;
  readonly program: object;
  readonly signingKeys: Readonly<Record<string, JsonWebKey>>;
  readonly certificates: Readonly<Record<string, string>>;
  readonly scenarios: readonly Scenario[];
}

export const SCENARIOS = JSON.parse(fs.readFileSync('sdk/scenarios.json', 'utf8')) as Scenarios;

interface Statement {
  readonly key: string;
  readonly header: object;
  readonly claims: object;
}

/** Replaces the member `rejection: { sign }` of a body by the compact JWS that it describes. */
export function withSignature(body: unknown): unknown {
  const { rejection } = Object(body) as { rejection?: { readonly sign?: Statement } };
  return rejection?.sign ? { ...(body as object), rejection: signed(rejection.sign) } : body;
}

function signed({ key, header, claims }: Statement): string {
  const privateKey = createPrivateKey({ format: 'jwk', key: SCENARIOS.signingKeys[key]! });
  return issue({ header, payload: claims, key: { privateKey } });
}

/** Fills in `{name}` in every text of a value. */
export function fillIn<Value>(value: Value, values: Readonly<Record<string, string>>): Value {
  const text = JSON.stringify(value, (_name, member: unknown) =>
    typeof member === 'string'
      ? member.replaceAll(/\{([\w ,-]+)\}/g, (all, name: string) => values[name] ?? all)
      : member,
  );
  return text === undefined ? value : (JSON.parse(text) as Value);
}
