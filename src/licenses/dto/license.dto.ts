import { ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { ArrayMaxSize, IsArray, IsIn, IsOptional, ValidateIf } from 'class-validator';
import {
  isMissing,
  IsObjectId,
  isPlainText,
  IsText,
  IsTimestamp,
  IsVisible,
  TransformText,
  AsSent,
} from '../../shared/fields/request.decorators.js';
import { IsFlag } from '../../shared/fields/query.decorators.js';
import { RELEASE_POLICIES, type ReleasePolicy } from '../license.js';
import {
  AreDays,
  AreServices,
  AreUpdatesDays,
  countTerms,
  ENTITLEMENT,
  IsDuration,
  IsEnd,
  isGiven,
  IsInteger,
  IsLicenseKey,
  IsOptionalFlag,
  IsUpdatesEnd,
  LEASE,
  MACHINES,
  MatchesEntitlement,
  RELEASE,
  Satisfies,
  type TermBody,
} from './terms.decorators.js';

const MAX_ENTITLEMENTS = 50;
/** Measured as JSON, because certificates contain them. */
const MAX_ENTITLEMENTS_BYTES = 2_000;
const MAX_PAIRS = 50;
const MAX_METADATA_BYTES = 8 * 1024;

/** Null counts as omitted if a plan supplies the field. */
const IsSent = () =>
  ValidateIf(
    (body: TermBody, value) => value !== undefined && (value !== null || !isGiven(body.plan)),
  );

const isTextUpTo = (most: number, value: unknown) =>
  typeof value === 'string' && [...value].length <= most;

const isMetadata = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
  const pairs = Object.entries(value);
  return (
    pairs.length <= MAX_PAIRS &&
    pairs.every(([name, text]) => isTextUpTo(64, name) && name !== '' && isTextUpTo(500, text)) &&
    Buffer.byteLength(JSON.stringify(value)) <= MAX_METADATA_BYTES
  );
};

const isPlainMetadata = (value: unknown): boolean =>
  Object.entries(value ?? {})
    .flat()
    .every((text) => typeof text !== 'string' || isPlainText(text));

/** The terms of one or more new licenses. */
export class LicenseTermsDto {
  @IsDuration(
    'Term in months, starting at the first activation. One of `duration`, `days`, `perpetual`, `expiresAt` and `plan` is required.',
  )
  duration?: number | null;

  @AreDays('Term in days of 24 hours, starting at the first activation')
  days?: number | null;

  @IsOptionalFlag('Set to true for a license that never expires')
  perpetual?: boolean | null;

  @IsEnd(
    'A fixed expiry date that activation does not change: at most 3,660 days from now, or in the past',
  )
  expiresAt?: Date | null;

  @AreUpdatesDays('Days of updates, counted from the first activation. Unlimited by default.')
  updatesDays?: number | null;

  @AreServices(({ plan }, services) => isGiven(plan) && isMissing(services))
  services?: string[];

  @IsInteger(
    'Number of machines that can use the license at the same time. A new license allows 1 by default.',
    {
      ...MACHINES,
      required: false,
    },
  )
  @IsSent()
  maxMachines?: number;

  @IsInteger(LEASE.description, { ...LEASE, required: false, example: 3600 })
  @IsOptional()
  leaseSeconds?: number | null;

  @ApiPropertyOptional({
    description:
      'Who can release a seat that has no lease: only you (`owner`, the default) or also the machine itself (`self`). ' +
      'On a floating license, machines can always release their own seat.',
    ...RELEASE,
  })
  @IsSent()
  @IsIn(RELEASE_POLICIES)
  release?: ReleasePolicy;

  @ApiPropertyOptional({
    description: `Features of the license. Stored sorted and without duplicates. At most ${MAX_ENTITLEMENTS_BYTES} bytes as JSON.`,
    type: 'array',
    items: { type: 'string', pattern: ENTITLEMENT.source },
    maxItems: MAX_ENTITLEMENTS,
    example: ['export.pdf', 'team'],
  })
  @Satisfies(
    'isShortAsJson',
    (value) => JSON.stringify(value).length <= MAX_ENTITLEMENTS_BYTES,
    `$property must be at most ${MAX_ENTITLEMENTS_BYTES} bytes as JSON`,
  )
  @MatchesEntitlement({ each: true })
  @ArrayMaxSize(MAX_ENTITLEMENTS)
  @IsArray()
  @Transform(({ value }: { value: unknown }) =>
    Array.isArray(value) && value.every((item) => typeof item === 'string')
      ? [...new Set(value)].sort()
      : value,
  )
  @IsSent()
  entitlements?: string[];

  @ApiPropertyOptional({
    description: 'Your own notes, at most 50 pairs and 8 KiB. Never sent to shipped software.',
    type: 'object',
    additionalProperties: { type: 'string', maxLength: 500 },
    maxProperties: MAX_PAIRS,
    example: { seller: 'Miriam' },
  })
  @ValidateIf((_body, value) => value !== undefined)
  @AsSent()
  @Satisfies(
    'isPlainMetadata',
    isPlainMetadata,
    '$property must have no line breaks or other control characters in its names and values',
  )
  @Satisfies(
    'isMetadata',
    isMetadata,
    '$property must be an object with at most 50 strings of up to 500 characters, with names of 1 to 64 characters, and at most 8 KiB in total',
  )
  metadata?: Record<string, string>;

  @IsObjectId('A plan. It supplies every field you omit.', {
    required: false,
    nullable: true,
  })
  plan?: string | null;

  @IsUpdatesEnd('Updates are included until this time. Send either this or `updatesDays`.')
  updatesUntil?: Date | null;
}

/** The terms of one new license. */
export class NewLicenseDto extends LicenseTermsDto {
  @IsVisible()
  @IsText(1, 200, {
    description: 'Your own reference, such as an order number. Unique in your account.',
    example: 'order-2026-0815',
    nullable: true,
    required: false,
  })
  externalId?: string | null;
}

const CHANGEABLE = [
  'maxMachines',
  'leaseSeconds',
  'release',
  'entitlements',
  'metadata',
  'externalId',
] as const;

/** The query for deleting something that has licenses. */
export class DeletionQuery {
  @IsFlag({
    description:
      'Set to true to delete it even if it is in use. All its licenses are deleted, and their keys stop working.',
    default: false,
  })
  withLicenses?: boolean;
}

/** Body of PATCH /licenses/:id. */
export class UpdateLicenseDto extends PickType(NewLicenseDto, CHANGEABLE) {
  @AreServices((_body, services) => services === undefined)
  services?: string[];

  @IsTimestamp(
    'The new expiry date: at most 3,660 days from now, or in the past. Null makes the license perpetual. An API key needs ' +
      '`licenses:revoke` to move the date earlier.',
    '2027-01-31T00:00:00.000Z',
    { nullable: true },
  )
  expiresAt?: Date | null;

  @IsUpdatesEnd('Updates are included until this time. Null: unlimited.')
  updatesUntil?: Date | null;

  @AreUpdatesDays('Days of updates, counted from the first activation. Null: unlimited.')
  updatesDays?: number | null;

  @IsObjectId(
    'A plan. It supplies the limits, features and services you omit. Send null to detach the license from its plan.',
    { required: false, nullable: true },
  )
  plan?: string | null;
}

export class LookUpLicenseDto {
  @IsLicenseKey()
  key!: string;
}

class ReasonDto {
  @TransformText((text) => text.trim() || null)
  @IsText(1, 500, {
    description: 'The reason, for your own records',
    example: 'Contract ended',
    minLength: 0,
    nullable: true,
    required: false,
  })
  reason?: string | null;
}

export class RevokeLicenseDto extends ReasonDto {}

export class SuspendLicenseDto extends ReasonDto {}

export class RenewLicenseDto {
  @IsDuration(
    'Months to add to the term. One of `duration`, `days`, `perpetual` and `updatesDays` is required.',
  )
  duration?: number | null;

  @AreDays('Days of 24 hours to add to the term')
  days?: number | null;

  @IsOptionalFlag('Set to true to make the license perpetual')
  perpetual?: boolean | null;

  @AreUpdatesDays(
    'Days of updates to add, counted from the current end of updates or from now, whichever is later. With or without a term.',
  )
  updatesDays?: number | null;
}

export class ReissueLicenseDto {
  @IsDuration(
    'Term of the replacement in months. If you send no term, the replacement gets the time that is left.',
  )
  duration?: number | null;

  @AreDays('Term of the replacement in days of 24 hours')
  days?: number | null;

  @IsOptionalFlag('Set to true for a perpetual replacement')
  perpetual?: boolean | null;

  @IsOptionalFlag(
    'Set to true to keep the machines, the status and the term. Cannot be combined with a new term.',
  )
  @Satisfies(
    'keepsTerm',
    (value, body) => value !== true || countTerms(body) === 0,
    'keepMachines excludes duration, days and perpetual',
    'INVALID_TERM',
    () => 'keepMachines keeps the term, so omit duration, days and perpetual.',
  )
  keepMachines?: boolean | null;
}
