import { applyDecorators } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { Transform } from 'class-transformer';
import { IsArray, IsIn, IsInt, Max, Min } from 'class-validator';
import { ApiInteger } from '../../shared/fields/response.decorators.js';
import { Required } from '../../shared/fields/required.decorator.js';
import type { RejectionContext } from '../../shared/errors/validation-error.js';
import { MAX_DURATION, MIN_DURATION, SERVICES } from '../license.js';

const rejection = { context: { rejection: 'INVALID_DURATION' } satisfies RejectionContext };

/** Accepts 1 to 12 months; everything else is rejected as `Invalid duration`. */
export const IsDuration = (description: string, { required = true } = {}) =>
  applyDecorators(
    ApiInteger(description, { minimum: MIN_DURATION, maximum: MAX_DURATION, example: 6, required }),
    IsInt(rejection),
    Min(MIN_DURATION, rejection),
    Max(MAX_DURATION, rejection),
  );

/** Accepts at least one service; duplicates are removed. */
export const AreServices = () =>
  applyDecorators(
    ApiProperty({
      description: 'What the license includes; repeats are folded',
      enum: SERVICES,
      enumName: 'LicensedService',
      isArray: true,
      minItems: 1,
      example: ['Hosting', 'Domain'],
    }),
    Transform(({ value }: { value: unknown }) =>
      Array.isArray(value) ? [...new Set(value)] : value,
    ),
    Required('SERVICES_REQUIRED'),
    IsArray(),
    IsIn(SERVICES, { each: true }),
  );
