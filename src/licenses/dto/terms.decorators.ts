import { applyDecorators } from '@nestjs/common';
import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsIn,
  IsInt,
  IsOptional,
  Matches,
  Max,
  Min,
  ValidateBy,
  ValidateIf,
} from 'class-validator';
import { ApiInteger } from '../../shared/fields/response.decorators.js';
import { isMissing, Required } from '../../shared/fields/required.decorator.js';
import { isPlainText, IsText, TransformText } from '../../shared/fields/text.decorators.js';
import type { RejectionContext } from '../../shared/errors/validation-error.js';
import { RELEASE_POLICIES, SERVICES } from '../license.js';
import { MAX_LEASE, MAX_MACHINES, MIN_LEASE } from '../../machines/machine.js';
import { MAX_DURATION, MAX_TERM_DAYS, MIN_DURATION } from '../term.js';

const INVALID_DURATION = {
  message: `$property must be a whole number from ${MIN_DURATION} to ${MAX_DURATION}`,
  context: { rejection: 'INVALID_DURATION' } satisfies RejectionContext,
};

/** A term as a request names it: false and null count as left out. */
interface TermBody {
  readonly duration?: unknown;
  readonly days?: unknown;
  readonly perpetual?: unknown;
  readonly plan?: unknown;
}

const isGiven = (value: unknown) => value !== undefined && value !== null && value !== false;

/** Null counts as left out where a plan fills it in. */
const IsSent = () =>
  ValidateIf(
    (body: TermBody, value) => value !== undefined && (value !== null || !isGiven(body.plan)),
  );

const lengthsOf = ({ duration, days, perpetual }: TermBody) =>
  [duration, days, perpetual].filter(isGiven).length;

/** Rejects more than one of `duration`, `days` and `perpetual`. */
const IsOnlyTerm = () =>
  ValidateBy(
    { name: 'isOnlyTerm', validator: { validate: (_, args) => lengthsOf(args!.object) <= 1 } },
    {
      message: 'duration, days and perpetual exclude each other',
      context: { rejection: 'INVALID_TERM' } satisfies RejectionContext,
    },
  );

const isDuration = (value: unknown) =>
  Number.isInteger(value) && Number(value) >= MIN_DURATION && Number(value) <= MAX_DURATION;

/**
 * Accepts 1 to 12 months; everything else is rejected as `Invalid duration`.
 *
 * @param isRequired whether it must be there where neither another term nor a plan is
 */
export const IsDuration = (description: string, isRequired = true) =>
  applyDecorators(
    ApiInteger(description, {
      minimum: MIN_DURATION,
      maximum: MAX_DURATION,
      example: 6,
      required: false,
      nullable: true,
    }),
    ValidateIf(
      (body: TermBody) =>
        isGiven(body.duration) || (isRequired && lengthsOf(body) === 0 && !isGiven(body.plan)),
    ),
    ValidateBy({ name: 'isDuration', validator: { validate: isDuration } }, INVALID_DURATION),
    IsOnlyTerm(),
  );

export const AreDays = (description: string) =>
  applyDecorators(
    ApiInteger(description, {
      minimum: 1,
      maximum: MAX_TERM_DAYS,
      example: 14,
      required: false,
      nullable: true,
    }),
    IsOptional(),
    IsInt(),
    Min(1),
    Max(MAX_TERM_DAYS),
    IsOnlyTerm(),
  );

export const IsPerpetual = (description: string) =>
  applyDecorators(
    ApiPropertyOptional({ description, type: Boolean, nullable: true, example: false }),
    IsOptional(),
    IsIn([true, false]),
  );

/** true keeps the term, too, so it excludes one. */
export const KeepsMachines = () =>
  applyDecorators(
    ApiPropertyOptional({
      description:
        'true: the replacement is as the license was, with its machines and its term; send no term with it',
      type: Boolean,
      nullable: true,
      example: false,
    }),
    IsOptional(),
    IsIn([true, false]),
    ValidateBy(
      {
        name: 'keepsTerm',
        validator: { validate: (value, args) => value !== true || lengthsOf(args!.object) === 0 },
      },
      {
        message: 'keepMachines keeps the term, and excludes duration, days and perpetual',
        context: { rejection: 'INVALID_TERM' } satisfies RejectionContext,
      },
    ),
  );

/**
 * Accepts at least one service; duplicates are removed.
 *
 * @param isOptional whether they may be left out: in every body, or in one with a plan
 */
export const AreServices = (isOptional: boolean | 'with plan' = false) =>
  applyDecorators(
    ApiProperty({
      description: 'What the license includes; repeats are folded',
      enum: SERVICES,
      enumName: 'LicensedService',
      isArray: true,
      minItems: 1,
      required: isOptional === false,
      example: ['Hosting', 'Domain'],
    }),
    ValidateIf((body: TermBody, value) => {
      const isLeftOut = isOptional === 'with plan' ? isGiven(body.plan) : isOptional;
      return !isLeftOut || !(isOptional === true ? value === undefined : isMissing(value));
    }),
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? [...new Set(value)] : value,
    ),
    Required('SERVICES_REQUIRED'),
    IsArray(),
    IsIn(SERVICES, { each: true }),
  );

export const IsMaxMachines = () =>
  applyDecorators(
    ApiInteger('Machines that may use it at the same time; 1 by default in a new license', {
      minimum: 1,
      maximum: MAX_MACHINES,
      required: false,
    }),
    IsSent(),
    IsInt(),
    Min(1),
    Max(MAX_MACHINES),
  );

export const AreLeaseSeconds = () =>
  applyDecorators(
    ApiInteger(
      'Seconds for which a machine holds its seat after each heartbeat; null: until it is released',
      { minimum: MIN_LEASE, maximum: MAX_LEASE, nullable: true, required: false, example: 3600 },
    ),
    IsOptional(),
    IsInt(),
    Min(MIN_LEASE),
    Max(MAX_LEASE),
  );

export const IsReleasePolicy = () =>
  applyDecorators(
    ApiPropertyOptional({
      description:
        'Who may release a seat without a lease: only you (`owner`, the default of a new license), or the machine itself, too. ' +
        'A floating machine may always release its own',
      enum: RELEASE_POLICIES,
      enumName: 'ReleasePolicy',
    }),
    IsSent(),
    IsIn(RELEASE_POLICIES),
  );

export const ENTITLEMENT = /^[a-z0-9][a-z0-9._-]{0,63}$/;
const MAX_ENTITLEMENTS = 50;
/** As JSON, because certificates hold them. */
const MAX_ENTITLEMENTS_BYTES = 2_000;

/** An entitlement; with `each`, a list of them. */
export const MatchesEntitlement = ({ each = false } = {}) =>
  Matches(ENTITLEMENT, {
    each,
    message:
      `$property must ${each ? 'each ' : ''}have 1 to 64 small letters, digits, dots, underscores and hyphens, ` +
      'with a letter or digit first',
  });

/** A set of entitlements; stored sorted, repeats folded. */
export const AreEntitlements = () =>
  applyDecorators(
    ApiPropertyOptional({
      description: `Features that it includes; sorted, repeats are folded. At most ${MAX_ENTITLEMENTS_BYTES} bytes as JSON`,
      type: 'array',
      items: { type: 'string', pattern: ENTITLEMENT.source },
      maxItems: MAX_ENTITLEMENTS,
      example: ['export.pdf', 'team'],
    }),
    IsSent(),
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) && value.every((item) => typeof item === 'string')
        ? [...new Set(value)].sort()
        : value,
    ),
    IsArray(),
    ArrayMaxSize(MAX_ENTITLEMENTS),
    MatchesEntitlement({ each: true }),
    ValidateBy(
      {
        name: 'isShortAsJson',
        validator: { validate: (value) => JSON.stringify(value).length <= MAX_ENTITLEMENTS_BYTES },
      },
      { message: `$property must have at most ${MAX_ENTITLEMENTS_BYTES} bytes as JSON` },
    ),
  );

const MAX_PAIRS = 50;
const MAX_METADATA_BYTES = 8 * 1024;

const isMetadata = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const pairs = Object.entries(value);
  return (
    pairs.length <= MAX_PAIRS &&
    pairs.every(([name, text]) => isTextUpTo(64, name) && name !== '' && isTextUpTo(500, text)) &&
    Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES
  );
};

const isTextUpTo = (most: number, value: unknown) =>
  isPlainText(value) && [...(value as string)].length <= most;

export const IsMetadata = () =>
  applyDecorators(
    ApiPropertyOptional({
      description: 'Your own notes, never sent to shipped software: at most 50 pairs and 8 KiB',
      type: 'object',
      additionalProperties: { type: 'string', maxLength: 500 },
      maxProperties: MAX_PAIRS,
      example: { seller: 'Miriam' },
    }),
    ValidateIf((_body, value) => value !== undefined),
    // class-transformer would use a pair named `constructor` as the class of the object.
    Type(() => Object),
    // As it was sent: class-transformer drops names of Object.prototype, such as toString.
    Transform(({ obj, key }) => (obj as Record<string, unknown>)[key]),
    ValidateBy(
      { name: 'isMetadata', validator: { validate: isMetadata } },
      {
        message:
          '$property must be an object of at most 50 texts of up to 500 characters, with names of 1 to 64, and 8 KiB at most',
      },
    ),
  );

export const IsRevocationReason = () =>
  applyDecorators(
    ApiPropertyOptional({
      description: 'Why, for your own records',
      type: String,
      nullable: true,
      maxLength: 500,
      example: 'Contract ended',
    }),
    IsOptional(),
    TransformText((text) => text.trim() || null),
    IsText(1, 500),
  );
