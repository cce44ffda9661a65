import type { Certificate } from './certificate.js';
import type { Rejection } from './status.js';
import { clockTolerance, type Program, readCertificate } from './verify.js';

const REJECTIONS: readonly unknown[] = [
  'revoked',
  'expired',
  'other_machine',
  'suspended',
  'lease_ended',
] satisfies Rejection[];

/** What the state file keeps. */
export interface StoredState {
  /** The license key; null if a certificate was installed without one. */
  readonly key: string | null;
  readonly certificate: string | null;
  /** The last status that the service gave the license, if it was a rejection. */
  readonly rejection: Rejection | null;
  /** The latest time, in seconds since 1970, at which a certificate was valid or issued. */
  readonly rememberedTime: number;
}

export const NOTHING_STORED: StoredState = {
  key: null,
  certificate: null,
  rejection: null,
  rememberedTime: 0,
};

/** The machine that a state file is for, with its state if that is complete; undefined if the text is no state file. */
export function parseState(
  text: string,
): { readonly machine: string; readonly state: StoredState | undefined } | undefined {
  const { version, machine, ...members } = parseObject(text);
  if (version !== 1 || typeof machine !== 'string') return undefined;
  return { machine, state: readState(members) };
}

function readState(members: Record<string, unknown>): StoredState | undefined {
  const { key, certificate, rejection, rememberedTime } = members;
  const isWhole =
    isTextOrNull(key) &&
    isTextOrNull(certificate) &&
    isRejectionOrNull(rejection) &&
    isTime(rememberedTime);
  return isWhole ? { key, certificate, rejection, rememberedTime } : undefined;
}

export function serializeState(state: StoredState, machine: string): string {
  const { key, certificate, rejection, rememberedTime } = state;
  return JSON.stringify({ version: 1, machine, key, certificate, rejection, rememberedTime });
}

export interface Received {
  readonly text: string;
  readonly certificate: Certificate;
  /** The key with which it was requested; undefined if it was installed. */
  readonly key?: string;
}

/**
 * The state after a certificate for this program and machine was received.
 *
 * @param now seconds since 1970
 */
export function withCertificate(
  before: StoredState,
  { text, certificate, key }: Received,
  program: Program,
  now: number,
): StoredState {
  const previous = readStored(before, program);
  const isSameLicense = previous?.licenseId === certificate.licenseId;
  // Issued while the clock of the service was ahead, it would be kept for as long as it was.
  const isReplaced = !previous || (isAhead(previous, now) && !isAhead(certificate, now));
  const isShorter = !isReplaced && isSameLicense && previous.expiresAt > certificate.expiresAt;
  const isNewer = isReplaced || certificate.issuedAt > previous.issuedAt;
  return {
    // The key of another license would bring back its certificate at the next refresh.
    key: key ?? (previous && !isSameLicense ? null : before.key),
    certificate: isShorter ? before.certificate : text,
    rejection: null,
    rememberedTime: isNewer ? certificate.issuedAt : before.rememberedTime,
  };
}

function isAhead(certificate: Certificate, now: number): boolean {
  return certificate.issuedAt - now > clockTolerance(certificate);
}

function readStored({ certificate }: StoredState, program: Program): Certificate | undefined {
  const previous = certificate === null ? undefined : readCertificate(certificate, program);
  return previous && 'state' in previous ? undefined : previous;
}

function parseObject(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text)) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || typeof value === 'string';
}

function isRejectionOrNull(value: unknown): value is Rejection | null {
  return value === null || REJECTIONS.includes(value);
}

function isTime(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
