import { ApiProperty } from '@nestjs/swagger';
import { ClientDto } from '../../clients/dto/client.response.js';
import { LicenseDto } from '../../licenses/dto/license.response.js';
import { ApiInteger } from '../../openapi/decorators/api-fields.decorators.js';
import { ProjectDto } from '../../projects/dto/project.response.js';
import { NextCursor } from '../../shared/pagination/page.query.js';
import { SHOWN } from '../dashboard.js';

/** Documents a count of records. */
export const Count = (description: string) => ApiInteger(description, { minimum: 0, example: 3 });

/** A project on the dashboard. */
export class ProjectOverviewDto extends ProjectDto {
  @Count('Licenses of the project, shown or not')
  licensesCount!: number;

  @ApiProperty({ type: [LicenseDto], description: `Its newest, at most ${SHOWN}` })
  licenses!: LicenseDto[];
}

/** A client on the dashboard. */
export class ClientOverviewDto extends ClientDto {
  @Count('Projects of the client, shown or not')
  projectsCount!: number;

  @ApiProperty({ type: [ProjectOverviewDto], description: `Its newest, at most ${SHOWN}` })
  projects!: ProjectOverviewDto[];
}

/** Response of GET /dashboard. */
export class DashboardResponse {
  @ApiProperty({ example: 'Dashboard loaded successfully' })
  message!: string;

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
