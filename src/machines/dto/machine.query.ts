import { IsObjectId, IsTextAs } from '../../shared/fields/request.decorators.js';
import { IsSearch } from '../../shared/fields/query.decorators.js';
import { CountedPageQuery, PageQuery } from '../../shared/pagination/page.query.js';
import { IsMachineId } from './machine.response.js';

export class MachineListQuery extends CountedPageQuery {
  @IsSearch('Only machines whose name contains this (case and accents are ignored)', 'desk', 100)
  search?: string;
}

/** Identifies a machine by hash or by fingerprint and project, because the hash differs per project. */
export class LicensesOfMachineQuery extends PageQuery {
  @IsMachineId(
    'Hash of the machine. Either this or `fingerprint` with `projectId` is required.',
    false,
  )
  machineId?: string;

  @IsTextAs((text) => text.trim(), 16, 256, {
    description: 'The `fingerprint` that your software sends',
    example: 'b7c1f6a0-5a0d-4b8e-9f55-0d9f6f6a2f11',
    required: false,
  })
  fingerprint?: string;

  @IsObjectId('The project whose licenses to list', { required: false })
  projectId?: string;
}
