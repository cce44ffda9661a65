import path from 'node:path';
import { LicenseError } from './license-error.js';
import { importSigningKeys, type PublicJwk, type SigningKeys } from './signing-keys.js';
import { parseDay } from './timestamps.js';
import type { Fetch } from './transport.js';

const DEFAULT_TIMEOUT_MS = 5000;
const MAX_TIMEOUT_MS = 600_000;

/** The same in each SDK. Stricter than URL parsers, which differ. */
const SERVICE = new RegExp(
  String.raw`^(https://([a-z0-9._-]+|\[[0-9a-f:.]+\])|http://(localhost|127\.0\.0\.1|\[::1\]))` +
    String.raw`(:[1-9]\d{0,4})?(/[\w.~!$&'()*+,;=:%/-]*)?$`,
  'i',
);

export interface LicenseOptions {
  /** Address of the license service: https, or http on this machine. */
  readonly service: string;
  /** `issuer` of `GET /signing-keys`. */
  readonly issuer: string;
  /** The project's product. */
  readonly product: string;
  /** `current` and `next` of `GET /signing-keys`. */
  readonly keys: readonly PublicJwk[];
  /** Absolute path of a folder that the program can write to and other users cannot read. */
  readonly folder: string;
  /**
   * Names this machine: 16 to 256 printable ASCII characters. By default it is derived from the system's
   * machine id.
   */
  readonly fingerprint?: string | undefined;
  /** The name that the vendor sees for this machine: 1 to 100 characters. */
  readonly machineName?: string | undefined;
  /** Whether a machine without its own id may get a random one, which is stored in the folder; true by default. */
  readonly allowRandomId?: boolean | undefined;
  /** The release date of this build, `YYYY-MM-DD`: the license must include updates until then. */
  readonly releasedAt?: string | undefined;
  /**
   * Replaces the global `fetch`, for example with Electron's `net.fetch` or with one that has its own proxy
   * or certificate authorities.
   */
  readonly fetch?: Fetch | undefined;
  /** Timeout of a request in milliseconds; 5,000 by default. */
  readonly timeout?: number | undefined;
  /** @internal The clock that tests set, in seconds since 1970. */
  readonly now?: (() => number) | undefined;
}

/** @internal */
export interface Settings {
  readonly service: string;
  readonly issuer: string;
  readonly product: string;
  readonly keys: SigningKeys;
  readonly folder: string;
  readonly fingerprint: string | undefined;
  readonly machineName: string | undefined;
  readonly allowRandomId: boolean;
  readonly releasedAt: Date | undefined;
  readonly fetch: Fetch;
  readonly timeout: number;
  readonly now: () => number;
}

const CHECKS: { readonly [Name in keyof Settings]: (value: unknown) => Settings[Name] } = {
  service: checkService,
  issuer: (value) =>
    requireOption('issuer', value, isIssuer, 'the issuer id from GET /signing-keys'),
  product: (value) => requireOption('product', value, isProduct, "the project's product"),
  keys: importSigningKeys,
  folder: (value) => requireOption('folder', value, isAbsolutePath, 'an absolute path'),
  fingerprint: (value) =>
    value === undefined
      ? undefined
      : requireOption(
          'fingerprint',
          value,
          isFingerprint,
          '16 to 256 printable ASCII characters, without spaces at either end',
        ),
  machineName: (value) =>
    value === undefined
      ? undefined
      : requireOption(
          'machineName',
          value,
          isMachineName,
          '1 to 100 characters, without control characters',
        ),
  allowRandomId: (value = true) =>
    requireOption('allowRandomId', value, isBoolean, 'true or false'),
  releasedAt: (value) => {
    if (value === undefined) return undefined;
    const day = parseDay(value);
    if (day) return day;
    throw new Error('releasedAt must be a day such as 2027-01-31.');
  },
  fetch: (value = (...request: Parameters<Fetch>) => fetch(...request)) =>
    requireOption('fetch', value, isFunction<Fetch>, 'a function'),
  timeout: (value = DEFAULT_TIMEOUT_MS) =>
    requireOption('timeout', value, isTimeout, 'more than 0 and at most 600 seconds'),
  now: (value = () => Date.now() / 1000) =>
    requireOption('now', value, isFunction<() => number>, 'a function'),
};

/**
 * @internal
 * @throws LicenseError `option`, with a message that names the option
 */
export function checkOptions(options: LicenseOptions): Settings {
  try {
    const given = Object(options) as Record<string, unknown>;
    const unknown = Object.keys(given).find((name) => !Object.hasOwn(CHECKS, name));
    if (unknown !== undefined) throw new Error(`${unknown} is not an option.`);
    const settings = Object.entries(CHECKS).map(([name, check]) => [name, check(given[name])]);
    return Object.fromEntries(settings) as Settings;
  } catch (error) {
    throw new LicenseError('option', (error as Error).message);
  }
}

function requireOption<Value>(
  name: string,
  value: unknown,
  isRight: (value: unknown) => value is Value,
  expected: string,
): Value {
  if (isRight(value)) return value;
  throw new Error(`${name} must be ${expected}.`);
}

function checkService(value: unknown): string {
  const expected = 'an address such as https://licenses.example; http works only on this machine';
  return requireOption('service', value, isService, expected).replace(/\/+$/, '');
}

function isService(value: unknown): value is string {
  return isText(value) && SERVICE.test(value) && URL.canParse(value);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}

function isIssuer(value: unknown): value is string {
  return isText(value) && /^[!-~]{1,128}$/.test(value);
}

function isProduct(value: unknown): value is string {
  return isText(value) && /^[A-Za-z0-9]([A-Za-z0-9._-]{0,62}[A-Za-z0-9])?$/.test(value);
}

function isAbsolutePath(value: unknown): value is string {
  return isText(value) && path.isAbsolute(value) && !value.includes('\0');
}

function isFingerprint(value: unknown): value is string {
  return isText(value) && /^[!-~][ -~]{14,254}[!-~]$/.test(value);
}

function isMachineName(value: unknown): value is string {
  return isText(value) && /^\P{Cc}{1,100}$/u.test(value);
}

function isTimeout(value: unknown): value is number {
  return Number.isInteger(value) && (value as number) >= 1 && (value as number) <= MAX_TIMEOUT_MS;
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

function isFunction<Function>(value: unknown): value is Function {
  return typeof value === 'function';
}
