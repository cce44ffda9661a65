import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, Matches } from 'class-validator';
import { IsObjectId, IsText, TransformText } from '../../shared/fields/request.decorators.js';
import { searchForm } from '../../shared/fields/search-form.js';
import { CountedPageQuery, PageQuery } from '../../shared/pagination/page.query.js';
import { MACHINE_ID } from './machine.response.js';

export class MachineListQuery extends CountedPageQuery {
  @ApiPropertyOptional({
    description: 'Only machines whose name contains this; case and accents are ignored',
    minLength: 1,
    maxLength: 100,
    example: 'desk',
  })
  @IsOptional()
  @IsText(1, 100)
  @TransformText(searchForm)
  search?: string;
}

/** Names a machine by its hash, or by its fingerprint and the project, as the hash differs per project. */
export class LicensesOfMachineQuery extends PageQuery {
  @ApiPropertyOptional({
    description: 'Hash of the machine. It, or `fingerprint` with `projectId`, is required',
    pattern: MACHINE_ID.source,
  })
  @IsOptional()
  @Matches(MACHINE_ID, { message: '$property must be 64 hexadecimal digits, in small letters' })
  machineId?: string;

  @ApiPropertyOptional({
    description: 'What the software sends as `fingerprint`',
    minLength: 16,
    maxLength: 256,
    example: 'b7c1f6a0-5a0d-4b8e-9f55-0d9f6f6a2f11',
  })
  @IsOptional()
  @IsText(16, 256)
  fingerprint?: string;

  @IsObjectId('The project whose licenses the machine uses', { required: false })
  projectId?: string;
}
