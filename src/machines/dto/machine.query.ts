import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { IsObjectId, IsText, TransformText } from '../../shared/fields/request.decorators.js';
import { searchForm } from '../../shared/fields/search-form.js';
import { CountedPageQuery, PageQuery } from '../../shared/pagination/page.query.js';
import { MACHINE_ID } from './machine.response.js';

export class MachineListQuery extends CountedPageQuery {
  @ApiPropertyOptional({
    description: 'Only machines whose name contains this (case and accents are ignored)',
    minLength: 1,
    maxLength: 100,
    example: 'desk',
  })
  @IsOptional()
  @IsText(1, 100)
  @TransformText(searchForm)
  search?: string;
}

/** Identifies a machine by hash or by fingerprint and project, because the hash differs per project. */
export class LicensesOfMachineQuery extends PageQuery {
  @ApiPropertyOptional({
    description: 'Hash of the machine. Either this or `fingerprint` with `projectId` is required.',
    pattern: MACHINE_ID.source,
  })
  @IsOptional()
  @Matches(MACHINE_ID, { message: '$property must be 64 lowercase hexadecimal digits' })
  machineId?: string;

  @ApiPropertyOptional({
    description: 'The `fingerprint` that your software sends',
    minLength: 16,
    maxLength: 256,
    example: 'b7c1f6a0-5a0d-4b8e-9f55-0d9f6f6a2f11',
  })
  @IsOptional()
  @IsText(16, 256, (text) => text.trim())
  fingerprint?: string;

  @IsObjectId('The project whose licenses to list', { required: false })
  projectId?: string;
}
