import type { Certificate } from './certificate.js';
import { isCount, isText, parseJson } from './json.js';
import { invalid, type Rejection, type Status } from './status.js';
import { clockTolerance, judge, MAX_CLOCK_SKEW, type Program, readCertificate } from './verify.js';

const REJECTIONS: readonly unknown[] = [
  'revoked',
  'expired',
  'other_machine',
  'suspended',
  'lease_ended',
] satisfies Rejection[];

/** The content of the state file. */
export interface StoredState {
  /** The license key; null if a certificate was installed without one. */
  readonly key: string | null;
  /** The most recently issued certificate. */
  readonly certificate: string | null;
  /** The installed certificate that expires last; the license is usable until then. */
  readonly installed: string | null;
  /** The last status from the service, if it was a rejection. */
  readonly rejection: Rejection | null;
  /** When the service signed the rejection, in seconds since 1970; 0 if there is none. */
  readonly rejectedAt: number;
  /** The latest time, in seconds since 1970, at which a certificate was valid or issued. */
  readonly rememberedTime: number;
}

export const NOTHING_STORED: StoredState = {
  key: null,
  certificate: null,
  installed: null,
  rejection: null,
  rejectedAt: 0,
  rememberedTime: 0,
};

/** The machine that a state file is for, with its state if complete; undefined if the text is not a state file. */
export function parseState(
  text: string | undefined,
): { readonly machine: string; readonly state: StoredState | undefined } | undefined {
  const { version, machine, ...members } = Object(parseJson(text)) as Record<string, unknown>;
  if (version !== 1 || !isText(machine)) return undefined;
  return { machine, state: readState(members) };
}

function readState(members: Record<string, unknown>): StoredState | undefined {
  const { key, certificate, rejection, rememberedTime } = members;
  // Older versions recorded neither installed certificates (they kept only the last to expire) nor the
  // time of a rejection.
  const { installed = certificate, rejectedAt = 0 } = members;
  const isWhole =
    isTextOrNull(key) &&
    isTextOrNull(certificate) &&
    isTextOrNull(installed) &&
    isRejectionOrNull(rejection) &&
    isCount(rejectedAt) &&
    isCount(rememberedTime);
  return isWhole
    ? { key, certificate, installed, rejection, rejectedAt, rememberedTime }
    : undefined;
}

export function serializeState(state: StoredState, machine: string): string {
  const { key, certificate, installed, rejection, rejectedAt, rememberedTime } = state;
  const members = { key, certificate, installed, rejection, rejectedAt, rememberedTime };
  return JSON.stringify({ version: 1, machine, ...members });
}

export interface Received {
  readonly text: string;
  readonly certificate: Certificate;
  /** The key it was requested with; undefined if it was installed. */
  readonly key?: string;
}

/**
 * The state after a certificate for this program and machine arrives.
 *
 * @param now seconds since 1970
 */
export function withCertificate(
  before: StoredState,
  received: Received,
  program: Program,
  now: number,
): StoredState {
  const { text, certificate, key } = received;
  const previous = readStored(before.certificate, program);
  const isSameLicense = previous?.licenseId === certificate.licenseId;
  const isReplaced = !previous || isMisdated(previous, certificate, now);
  const isNewer = isReplaced || certificate.issuedAt > previous.issuedAt;
  const isOlder = !isReplaced && isSameLicense && isIssuedBefore(certificate, previous);
  return {
    // Keeping the key of another license would bring back that license's certificate at the next refresh.
    key: key ?? (previous && !isSameLicense ? null : before.key),
    certificate: isOlder ? before.certificate : text,
    installed: installedAfter(before.installed, received, program, now),
    ...rejectionAfter(before, certificate, !previous || isSameLicense, now),
    rememberedTime: isNewer ? certificate.issuedAt : before.rememberedTime,
  };
}

/** A certificate issued before the rejection does not lift it, because it may be a recorded one that is replayed. */
function rejectionAfter(
  { rejection, rejectedAt }: StoredState,
  { issuedAt }: Certificate,
  isOfLicense: boolean,
  now: number,
): Pick<StoredState, 'rejection' | 'rejectedAt'> {
  // Otherwise, a rejection signed while the service's clock was ahead would last until the clock catches up.
  const isMisdated = rejectedAt - now > MAX_CLOCK_SKEW;
  const isKept = isOfLicense && issuedAt < rejectedAt && !isMisdated;
  return isKept ? { rejection, rejectedAt } : { rejection: null, rejectedAt: 0 };
}

/** The installed certificate of this license that expires last. */
function installedAfter(
  before: string | null,
  { text, certificate, key }: Received,
  program: Program,
  now: number,
): string | null {
  const isInstalled = key === undefined;
  const previous = readStored(before, program);
  const isKept =
    previous?.licenseId === certificate.licenseId &&
    !isMisdated(previous, certificate, now) &&
    !(isInstalled && certificate.expiresAt >= previous.expiresAt);
  if (isKept) return before;
  return isInstalled ? text : null;
}

/** If both were issued in the same second, the one that expires first is the earlier one. */
function isIssuedBefore(one: Certificate, other: Certificate): boolean {
  return one.issuedAt === other.issuedAt
    ? one.expiresAt < other.expiresAt
    : one.issuedAt < other.issuedAt;
}

/**
 * Whether the previous one was issued while the service's clock was ahead. It would otherwise stay until
 * the clock catches up.
 */
function isMisdated(previous: Certificate, next: Certificate, now: number): boolean {
  return isAhead(previous, now) && !isAhead(next, now);
}

function isAhead(certificate: Certificate, now: number): boolean {
  return certificate.issuedAt - now > clockTolerance(certificate);
}

/** Whether the stored certificate is for a license with leases. */
export function isLeased({ certificate }: StoredState, program: Program): boolean {
  return (readStored(certificate, program)?.leaseSeconds ?? null) !== null;
}

/**
 * Whether the stored license is usable now.
 *
 * @param now seconds since 1970
 */
export function judgeStored(
  { certificate: text, installed: installedText, rejection, rememberedTime }: StoredState,
  program: Program,
  { now, isClockAhead = false }: { readonly now: number; readonly isClockAhead?: boolean },
): Status {
  if (text === null) return rejection ? invalid(rejection, 'rejected') : invalid('none', null);
  const certificate = readCertificate(text, program);
  if ('state' in certificate) return certificate;
  const installed = installedText === text ? undefined : readStored(installedText, program);
  const isExtended =
    installed?.licenseId === certificate.licenseId && installed.expiresAt > certificate.expiresAt;
  const { expiresAt } = isExtended ? installed : certificate;
  const { releasedAt } = program;
  const circumstances = { now, rememberedTime, rejection, isClockAhead, releasedAt };
  return judge({ ...certificate, expiresAt }, circumstances);
}

/** The license in the stored certificate; undefined if there is none for this program and machine. */
export function licenseOf({ certificate }: StoredState, program: Program): string | undefined {
  return readStored(certificate, program)?.licenseId;
}

function readStored(text: string | null, program: Program): Certificate | undefined {
  const certificate = text === null ? undefined : readCertificate(text, program);
  return certificate && 'state' in certificate ? undefined : certificate;
}

function isTextOrNull(value: unknown): value is string | null {
  return value === null || isText(value);
}

function isRejectionOrNull(value: unknown): value is Rejection | null {
  return value === null || REJECTIONS.includes(value);
}
