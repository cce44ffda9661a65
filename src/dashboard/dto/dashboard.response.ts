import { ApiProperty } from '@nestjs/swagger';
import { ClientDto } from '../../clients/dto/client.response.js';
import { LicenseDto } from '../../licenses/dto/license.response.js';
import { ApiInteger, WithMessage } from '../../shared/fields/response.decorators.js';
import { ProjectDto } from '../../projects/dto/project.response.js';
import { NextCursor } from '../../shared/pagination/page.query.js';
import { MAX_SHOWN } from '../dashboard.js';

export const Count = (description: string) => ApiInteger(description, { minimum: 0, example: 3 });

export class ProjectOverviewDto extends ProjectDto {
  @Count('Licenses of the project, shown or not')
  licensesCount!: number;

  @ApiProperty({ type: [LicenseDto], description: `Its newest, at most ${MAX_SHOWN}` })
  licenses!: LicenseDto[];
}

export class ClientOverviewDto extends ClientDto {
  @Count('Projects of the client, shown or not')
  projectsCount!: number;

  @ApiProperty({ type: [ProjectOverviewDto], description: `Its newest, at most ${MAX_SHOWN}` })
  projects!: ProjectOverviewDto[];
}

export class DashboardResponse extends WithMessage('Dashboard loaded successfully') {
  @Count('All your clients')
  clientsCount!: number;

  @Count('All your projects')
  projectsCount!: number;

  @Count('All your licenses')
  licensesCount!: number;

  @ApiProperty({ type: [ClientOverviewDto], description: 'A page of clients, the newest first' })
  data!: ClientOverviewDto[];

  @NextCursor()
  nextCursor!: string | null;
}
