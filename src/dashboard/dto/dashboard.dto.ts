import { ApiProperty } from '@nestjs/swagger';
import { ClientDto } from '../../clients/dto/client.response.js';
import { LicenseDto } from '../../licenses/dto/license.response.js';
import { ProjectDto } from '../../projects/dto/project.response.js';
import { IsCount, IsSearch } from '../../shared/fields/query.decorators.js';
import { IsObjectId } from '../../shared/fields/request.decorators.js';
import { ApiInteger, WithMessage } from '../../shared/fields/response.decorators.js';
import { NextCursor, PageQuery } from '../../shared/pagination/page.query.js';

/** Maximum number of projects shown per client, and of licenses per project: the newest. */
export const MAX_SHOWN = 20;

const MAX_CLIENTS = 20;

export class DashboardQuery extends PageQuery {
  // Declared again with all constraints, because class-validator drops the inherited ones.
  @IsCount('Maximum number of clients per page', MAX_CLIENTS, MAX_CLIENTS)
  override limit = MAX_CLIENTS;

  @IsObjectId('Only this client', { required: false })
  clientId?: string;

  @IsSearch(
    'Only clients whose name or email address contains this (case and accents are ignored)',
    'acme',
  )
  search?: string;
}

export class SummaryQuery {
  @IsCount('Number of days (UTC) for which to count activations, including today', 90, 30)
  days = 30;
}

const Count = (description: string) => ApiInteger(description, { minimum: 0, example: 3 });

export class ProjectOverviewDto extends ProjectDto {
  @Count('Total number of licenses of the project')
  licensesCount!: number;

  @ApiProperty({ type: [LicenseDto], description: `At most ${MAX_SHOWN}, newest first` })
  licenses!: LicenseDto[];
}

export class ClientOverviewDto extends ClientDto {
  @Count('Total number of projects of the client')
  projectsCount!: number;

  @ApiProperty({ type: [ProjectOverviewDto], description: `At most ${MAX_SHOWN}, newest first` })
  projects!: ProjectOverviewDto[];
}

export class DashboardResponse extends WithMessage('Dashboard loaded') {
  @Count('Total number of clients')
  clientsCount!: number;

  @Count('Total number of projects')
  projectsCount!: number;

  @Count(
    'Total number of licenses, including licenses of deleted projects that are still being removed',
  )
  licensesCount!: number;

  @ApiProperty({ type: [ClientOverviewDto], description: 'A page of clients, newest first' })
  data!: ClientOverviewDto[];

  @NextCursor()
  nextCursor!: string | null;
}

export class LicensesByStatus {
  @Count('Never activated')
  PENDING!: number;

  @Count('Activated and not expired')
  ACTIVE!: number;

  @Count('Expired')
  EXPIRED!: number;

  @Count('Suspended, whether or not the term has expired')
  SUSPENDED!: number;

  @Count('Revoked')
  REVOKED!: number;
}

export class ActivationsOfDay {
  @ApiProperty({
    description: 'The day (UTC)',
    type: String,
    format: 'date',
    example: '2026-01-31',
  })
  date!: string;

  @Count('Licenses activated for the first time')
  count!: number;
}

export class SummaryResponse {
  @ApiProperty({ type: LicensesByStatus })
  licensesByStatus!: LicensesByStatus;

  @Count('Active licenses that expire within 7 days')
  expiringWithin7Days!: number;

  @Count('Active licenses that expire within 30 days, including the next 7')
  expiringWithin30Days!: number;

  @ApiProperty({ type: [ActivationsOfDay], description: 'One entry per day, oldest first' })
  activationsPerDay!: readonly ActivationsOfDay[];
}
