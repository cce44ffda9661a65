import { createPrivateKey, type JsonWebKey } from 'node:crypto';
import fs from 'node:fs';
import { issue } from '../../sdk/vectors/certificates.mjs';
import type { Thrown } from './runner-process.js';

export interface ScriptedReply {
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON. */
  readonly body?: unknown;
  readonly text?: string;
  /** How often the text is sent. */
  readonly repeat?: number;
  /** Spaces are added to the text up to this length. */
  readonly pad?: number;
  /** In place of a response. */
  readonly fault?: string;
  /** Steps of another process, before the reply is sent. */
  readonly meanwhile?: readonly Step[];
}

interface Expected {
  readonly returns?: unknown;
  readonly throws?: Partial<Thrown> & { readonly code: string; readonly option?: string };
  /** Paths of requests, or paths with bodies. */
  readonly requests?: readonly (string | { readonly path: string; readonly body: object })[];
  /** The state file has the same bytes as before. */
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
    /** Bytes of the whole file. */
    readonly base64?: string;
    /** Spaces are added to the text up to this length. */
    readonly pad?: number;
    /** The JSON text of a further member. */
    readonly member?: string;
    /** Adds a file to the folder; `{state}` stands for the name of the state file. */
    readonly add?: string;
    /** Adds a named pipe of this name to the folder, which is created if it is absent. */
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
  /** Private keys as JWKs by their names. */
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
