import { ApiProperty } from '@nestjs/swagger';
import { LicenseDto } from '../../licenses/dto/license.response.js';
import { ApiProduct } from '../../licenses/dto/product.decorators.js';
import {
  ApiObjectId,
  RecordDto,
  toDto,
  WithMessage,
} from '../../shared/fields/response.decorators.js';
import { CountedListOf } from '../../shared/pagination/page.query.js';
import type { Project } from '../project.js';

export class ProjectDto extends RecordDto {
  @ApiProperty({ example: 'Web shop' })
  name!: string;

  @ApiObjectId('The client it belongs to')
  client!: string;

  @ApiProduct()
  product!: string | null;
}

export class CreatedProject extends WithMessage('Project and license created', {
  project: ProjectDto,
  license: LicenseDto,
}) {}

export class CreatedLicenses extends WithMessage('Licenses created') {
  @ApiProperty({ type: [LicenseDto] })
  licenses!: LicenseDto[];
}

/** Response to a change that continues in steps. */
export class RevocationStarted extends WithMessage('Licenses are being revoked') {}

export class UpdatedProject extends WithMessage('Project updated', { project: ProjectDto }) {}

export class ProjectListResponse extends CountedListOf(ProjectDto) {}

export const toProjectDto: (project: Project) => ProjectDto = toDto(ProjectDto);
