import { applyDecorators } from '@nestjs/common';
import { ApiProperty, type ApiPropertyOptions, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import {
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  IsString,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import type { ErrorCode } from '../../shared/errors/error-codes.js';
import type { RejectionContext } from '../../shared/errors/validation-error.js';
import { configOf } from '../../http/validation/validation.pipe.js';
import { isMissing, IsTimestamp, Required } from '../../shared/fields/request.decorators.js';
import { ApiInteger } from '../../shared/fields/response.decorators.js';
import { MAX_LEASE, MAX_MACHINES, MIN_LEASE } from '../../machines/machine.js';
import { RELEASE_POLICIES } from '../license.js';
import { LENGTH_CHOICES, MAX_DURATION, MAX_TERM_DAYS, MIN_DURATION } from '../term.js';

/** The key of a license, as people type and paste it. */
export const IsLicenseKey = () =>
  applyDecorators(
    IsString({ context: { rejection: 'LICENSE_KEY_REQUIRED' } satisfies RejectionContext }),
    Required('LICENSE_KEY_REQUIRED'),
    ApiProperty({
      description:
        'The license key. Case, spaces, line breaks, quotes and the kind of hyphen do not matter',
      minLength: 1,
      example: 'LIC-665f1c2ab7e4a90012345678-7Q2M-X0AB-93KD',
    }),
  );

/** The documentation of these fields in requests and responses. */
export const MONTHS = { minimum: MIN_DURATION, maximum: MAX_DURATION, example: 6, nullable: true };
export const DAYS = { minimum: 1, maximum: MAX_TERM_DAYS, nullable: true };
export const MACHINES = { minimum: 1, maximum: MAX_MACHINES };
export const LEASE = {
  description:
    'For a floating license: how many seconds a machine keeps its seat after a heartbeat. If null, it keeps the seat until it is released.',
  minimum: MIN_LEASE,
  maximum: MAX_LEASE,
  nullable: true,
};
/** The default of `SERVICES`; a deployment's API document shows its own. */
export const SERVICE_LIST = {
  enum: ['Hosting', 'Domain'],
  enumName: 'LicensedService',
  isArray: true,
} as const;
export const RELEASE = { enum: RELEASE_POLICIES, enumName: 'ReleasePolicy' } as const;

/** A term as a request states it: false and null count as omitted. */
export interface TermBody {
  readonly duration?: unknown;
  readonly days?: unknown;
  readonly perpetual?: unknown;
  readonly expiresAt?: unknown;
  readonly plan?: unknown;
  readonly updatesUntil?: unknown;
  readonly updatesDays?: unknown;
}

export const isGiven = (value: unknown) => value !== undefined && value !== null && value !== false;

/** The number of terms in a request. */
export const countTerms = ({ duration, days, perpetual, expiresAt }: TermBody) =>
  [duration, days, perpetual, expiresAt].filter(isGiven).length;

/** Accepts values that pass a function. Rejects others with a specific error code or VALIDATION_ERROR. */
export const Satisfies = (
  name: string,
  isValid: (value: unknown, body: TermBody) => boolean,
  message: string,
  rejection?: ErrorCode,
  details?: RejectionContext['details'],
) =>
  ValidateBy(
    { name, validator: { validate: (value, args) => isValid(value, args!.object) } },
    {
      message,
      ...(rejection && {
        context: { rejection, ...(details && { details }) } satisfies RejectionContext,
      }),
    },
  );

/** A whole number within the documented range. */
export const IsInteger = (
  description: string,
  options: ApiPropertyOptions & { readonly minimum: number; readonly maximum: number },
) =>
  applyDecorators(
    ApiInteger(description, options),
    IsInt(),
    Min(options.minimum),
    Max(options.maximum),
  );

const IsOnlyTerm = () =>
  Satisfies(
    'isOnlyTerm',
    (_value, body) => countTerms(body) <= 1,
    'only one of duration, days, perpetual and expiresAt can be set',
    'INVALID_TERM',
    (fields) => (fields.includes('expiresAt') ? undefined : LENGTH_CHOICES),
  );

/**
 * Accepts 1 to 12 months; everything else is rejected as `Invalid duration`.
 *
 * @param isRequired whether a missing value is also rejected, when there is neither another term nor a plan
 */
export const IsDuration = (description: string, isRequired = false) =>
  applyDecorators(
    ApiInteger(description, { ...MONTHS, required: false }),
    ValidateIf(
      (body: TermBody) =>
        isGiven(body.duration) || (isRequired && countTerms(body) === 0 && !isGiven(body.plan)),
    ),
    Satisfies(
      'isDuration',
      (value) =>
        Number.isInteger(value) && Number(value) >= MIN_DURATION && Number(value) <= MAX_DURATION,
      `$property must be a whole number from ${MIN_DURATION} to ${MAX_DURATION}`,
      'INVALID_DURATION',
    ),
    IsOnlyTerm(),
  );

export const AreDays = (description: string) =>
  applyDecorators(
    IsInteger(description, { ...DAYS, example: 14, required: false }),
    IsOptional(),
    IsOnlyTerm(),
  );

/** A fixed expiry date, or null. */
export const IsEnd = (description: string) =>
  applyDecorators(
    IsTimestamp(description, '2027-01-31T00:00:00.000Z', { nullable: true }),
    IsOnlyTerm(),
  );

/** When updates end, or null. */
export const IsUpdatesEnd = (description: string) =>
  applyDecorators(
    IsTimestamp(description, '2027-01-31T00:00:00.000Z', { nullable: true }),
    Satisfies(
      'isOnlyUpdates',
      (_value, { updatesUntil, updatesDays }) => !isGiven(updatesUntil) || !isGiven(updatesDays),
      'send either updatesUntil or updatesDays',
    ),
  );

/** Days of updates, or null. */
export const AreUpdatesDays = (description: string) =>
  applyDecorators(IsInteger(description, { ...DAYS, example: 365, required: false }), IsOptional());

/** True, false or null. */
export const IsOptionalFlag = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({ description, type: Boolean, nullable: true, example: false }),
    IsOptional(),
    IsIn([true, false]),
  );

const offeredTo = (body: object) => configOf(body).services;

const AreOffered = () =>
  ValidateBy(
    {
      name: 'areOffered',
      validator: {
        validate: (value, args) => offeredTo(args!.object).includes(value as string),
      },
    },
    {
      each: true,
      message: ({ object }) =>
        offeredTo(object).length > 0
          ? `each value in services must be one of the following values: ${offeredTo(object).join(', ')}`
          : 'services must be omitted: this service has none',
    },
  );

/**
 * Accepts at least one service, unless the deployment has none; removes duplicates.
 *
 * @param areLeftOut whether a body may omit these services
 */
export const AreServices = (mayOmit: (body: TermBody, services: unknown) => boolean) =>
  applyDecorators(
    ApiProperty({
      description: 'Services included in the license. Duplicates are removed.',
      ...SERVICE_LIST,
      minItems: 1,
      required: false,
      example: ['Hosting', 'Domain'],
    }),
    ValidateIf(
      (body: TermBody, services) =>
        !mayOmit(body, services) && !(isMissing(services) && offeredTo(body).length === 0),
    ),
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? [...new Set(value)] : value,
    ),
    Required('SERVICES_REQUIRED'),
    IsArray(),
    AreOffered(),
  );

export const ENTITLEMENT = /^[a-z0-9][a-z0-9._-]{0,63}$/;

/** An entitlement; with `each`, a list of entitlements. */
export const MatchesEntitlement = ({ each = false } = {}) =>
  Matches(ENTITLEMENT, {
    each,
    message:
      `$property must ${each ? 'each ' : ''}be 1 to 64 lowercase letters, digits, dots, underscores and hyphens, ` +
      'starting with a letter or digit',
  });
