import { ApiProperty, ApiPropertyOptional, PickType } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsIn,
  IsOptional,
  ValidateNested,
} from 'class-validator';
import type { ErrorCode } from '../../shared/errors/error-codes.js';
import { AsSent } from '../../shared/fields/request.decorators.js';
import { ApiInteger, EXAMPLE_ID } from '../../shared/fields/response.decorators.js';
import { WARNINGS, type Warning } from '../prepared-row.js';
import { ImportRowDto } from './import-row.dto.js';
import { AreServices } from '../../licenses/dto/terms.decorators.js';
import { IsLike, IsOneOf } from '../../shared/fields/value.decorators.js';

export const MAX_ROWS = 100;
export const IMPORT_MODES = ['check', 'create'] as const;
export const OUTCOMES = ['created', 'same', 'differs', 'rejected', 'deferred'] as const;
export type Outcome = (typeof OUTCOMES)[number];

const SOURCE = /^[a-z0-9][a-z0-9._-]{0,39}$/;

/** Values for rows that lack them. */
export class ImportDefaultsDto extends PickType(ImportRowDto, ['plan', 'project', 'product']) {
  @AreServices((_body, services) => services === undefined)
  services?: string[];
}

/** Body of POST /licenses/import. Each row is validated separately, so it has its own outcome. */
export class ImportDto {
  @IsLike(
    SOURCE,
    '1 to 40 lowercase letters, digits, dots, underscores and hyphens, starting with a letter or digit',
    {
      description:
        'Where the licenses come from. A row is identified by this and its `ref`, so sending a file again imports only missing rows.',
      example: 'keygen',
    },
  )
  source!: string;

  @IsOneOf(IMPORT_MODES, {
    description:
      '`check` changes nothing and returns the outcomes that `create` would have. It does not detect conflicts with keys or clients of other accounts.',
    enumName: 'ImportMode',
  })
  mode!: (typeof IMPORT_MODES)[number];

  @ApiPropertyOptional({
    description:
      'Set to true to import clients without an email address. Each gets a placeholder address that is never mailed.',
    type: Boolean,
    default: false,
  })
  @IsOptional()
  @IsIn([true, false])
  allowMissingEmail?: boolean;

  @ApiPropertyOptional({ type: ImportDefaultsDto })
  @IsOptional()
  @ValidateNested()
  @Type(() => ImportDefaultsDto)
  defaults?: ImportDefaultsDto;

  @ApiProperty({ type: [ImportRowDto], minItems: 1, maxItems: MAX_ROWS })
  // Each row is validated when it is imported.
  @AsSent()
  @ArrayMaxSize(MAX_ROWS)
  @ArrayMinSize(1)
  @IsArray()
  rows!: readonly unknown[];
}

/** The outcome of a row. */
export class ImportResult {
  @ApiProperty({
    type: String,
    nullable: true,
    description: 'As you sent it; null if it was not a string',
  })
  ref!: string | null;

  @ApiProperty({
    description:
      '`same` and `differs`: the row was imported before and is left unchanged. `deferred`: no time was left, so send it again.',
    enum: OUTCOMES,
    enumName: 'ImportOutcome',
  })
  outcome!: Outcome;

  @ApiPropertyOptional({
    description: 'The license; absent if the row is new and only checked',
    example: EXAMPLE_ID,
  })
  licenseId?: string;

  @ApiPropertyOptional({ description: 'Why it was rejected', type: String, example: 'KEY_TAKEN' })
  code?: ErrorCode;

  @ApiPropertyOptional({ description: 'The invalid field', example: 'client.email' })
  field?: string;

  @ApiPropertyOptional({ type: [String], description: 'The fields that differ' })
  fields?: string[];

  @ApiProperty({ enum: WARNINGS, enumName: 'ImportWarning', isArray: true })
  warnings!: Warning[];
}

class ImportTotals implements Record<Outcome, number> {
  @ApiInteger('Rows that were, or would be, created')
  created!: number;

  @ApiInteger('Rows that were imported before')
  same!: number;

  @ApiInteger('Rows that were already imported, with different values')
  differs!: number;

  @ApiInteger('Rows with an error')
  rejected!: number;

  @ApiInteger('Rows to send again')
  deferred!: number;
}

/** How many records the import would create beyond each quota. */
export class ImportExcess {
  @ApiInteger('Clients', { required: false })
  clients?: number;

  @ApiInteger('Projects', { required: false })
  projects?: number;

  @ApiInteger('Licenses', { required: false })
  licenses?: number;

  @ApiInteger('Machines', { required: false })
  machines?: number;
}

export class ImportResponse {
  @ApiProperty({ type: [ImportResult], description: 'In the order of the rows' })
  results!: ImportResult[];

  @ApiProperty({ type: ImportTotals })
  totals!: ImportTotals;

  @ApiProperty({
    type: ImportExcess,
    nullable: true,
    description: 'How far the import would exceed your quotas; null if it would not',
  })
  wouldExceed!: ImportExcess | null;
}
