import { ApiProperty } from '@nestjs/swagger';
import { LicenseDto } from '../../licenses/dto/license.response.js';
import { ApiProduct } from '../../licenses/dto/product.decorators.js';
import { ApiObjectId, ApiTimestamp } from '../../openapi/decorators/api-fields.decorators.js';
import { NextCursor } from '../../shared/pagination/page.query.js';
import type { Project } from '../project.js';

/** A project in responses. */
export class ProjectDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiProperty({ example: 'Web shop' })
  name!: string;

  @ApiObjectId('The owning client')
  client!: string;

  @ApiProduct()
  product!: string | null;

  @ApiTimestamp('When it was created')
  createdAt!: Date;

  @ApiTimestamp('When it was last changed')
  updatedAt!: Date;
}

/** Response of POST /projects/createProject. */
export class CreatedProject {
  @ApiProperty({ example: 'Project and license created successfully' })
  message!: string;

  @ApiProperty({ type: ProjectDto })
  project!: ProjectDto;

  @ApiProperty({ type: LicenseDto })
  license!: LicenseDto;
}

/** Response of PATCH /projects/:id. */
export class UpdatedProject {
  @ApiProperty({ example: 'Project updated successfully' })
  message!: string;

  @ApiProperty({ type: ProjectDto })
  project!: ProjectDto;
}

/** A page of projects. */
export class ProjectListResponse {
  @ApiProperty({ type: [ProjectDto] })
  data!: ProjectDto[];

  @NextCursor()
  nextCursor!: string | null;
}

export function toProjectDto(project: Project): ProjectDto {
  const { _id, name, client, product, createdAt, updatedAt } = project;
  return { _id, name, client, product, createdAt, updatedAt };
}
