import { Body, Controller, Delete, Get, Param, Patch, Post, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { ApiResponse, ApiTags } from '@nestjs/swagger';
import { Account } from '../auth/auth.decorators.js';
import { DeletionQuery } from '../licenses/dto/license.dto.js';
import { ChangedLicense } from '../licenses/dto/license.response.js';
import { LicensePresenter } from '../licenses/license.presenter.js';
import { WithErrorShape } from '../http/route-config.js';
import { ApiErrors, Describe, Responds } from '../openapi/decorators/api-route.js';
import { IdParam } from '../shared/fields/request.decorators.js';
import type { AccountId } from '../shared/ids.js';
import { toListResponse, toPageRequest } from '../shared/pagination/page.query.js';
import { Idempotency } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import {
  CreateLicenseDto,
  CreateLicensesDto,
  CreateProjectDto,
  ProjectListQuery,
  RevokeLicensesDto,
  UpdateProjectDto,
} from './dto/project.dto.js';
import {
  CreatedLicenses,
  CreatedProject,
  ProjectDto,
  ProjectListResponse,
  RevocationStarted,
  toProjectDto,
  UpdatedProject,
} from './dto/project.response.js';
import { ProjectsService } from './projects.service.js';

const LIST = 'projects';

/** The errors of issuing a license. */
const TERM_ERRORS = [
  'INVALID_DURATION',
  'INVALID_TERM',
  'LICENSE_TERM_TOO_LONG',
  'SERVICES_REQUIRED',
  'PLAN_NOT_FOUND',
  'PLAN_OF_ANOTHER_PRODUCT',
  'LICENSE_EXISTS',
] as const;

@ApiTags('projects')
@Controller('projects')
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly licenses: LicensePresenter,
  ) {}

  @Post('createProject')
  @WithErrorShape({ unexpected: 'PROJECT_CREATION_FAILED' })
  @Describe(
    'Create a project with its first license',
    'Creates both or neither. The license is PENDING until it is first activated.',
  )
  @Responds(201, 'The new project and its license', CreatedProject)
  @ApiErrors(
    'CLIENT_ID_AND_PROJECT_NAME_REQUIRED',
    ...TERM_ERRORS,
    'CLIENT_NOT_FOUND',
    'PROJECT_QUOTA_REACHED',
    'LICENSE_QUOTA_REACHED',
    'PROJECT_CREATION_FAILED',
  )
  async createProject(
    @Account() accountId: AccountId,
    @Body() { clientId, projectName, product, ...terms }: CreateProjectDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<CreatedProject> {
    const fields = { client: clientId, name: projectName, product: product ?? null };
    const created = await this.projects.createWithFirstLicense(
      accountId,
      fields,
      terms,
      idempotency,
    );
    return {
      message: 'Project and license created',
      project: toProjectDto(created.project),
      license: this.licenses.present(created.license),
    };
  }

  @Get()
  @Describe('List your projects', 'Paginated, newest first. Filters are combined with AND.')
  @Responds(200, 'A page of projects', ProjectListResponse)
  async listProjects(
    @Account() accountId: AccountId,
    @Query() query: ProjectListQuery,
  ): Promise<ProjectListResponse> {
    const page = await this.projects.list(accountId, query, toPageRequest(query, LIST));
    return toListResponse(page, LIST, toProjectDto);
  }

  @Get(':id')
  @Describe('Get a project', 'A project of another account returns 404.')
  @Responds(200, 'The project', ProjectDto)
  @ApiErrors('PROJECT_NOT_FOUND')
  async getProject(@Account() accountId: AccountId, @Param() { id }: IdParam): Promise<ProjectDto> {
    return toProjectDto(await this.projects.get(id, accountId));
  }

  @Patch(':id')
  @Describe(
    'Rename a project or set its product',
    'The product applies to all licenses of the project. You can correct it until one of them is activated, if the project has at most ' +
      '100 licenses. It cannot be removed, so null is rejected. Unknown fields are rejected.',
  )
  @Responds(200, 'The updated project', UpdatedProject)
  @ApiErrors('PROJECT_NAME_REQUIRED', 'PROJECT_NOT_FOUND', 'PROJECT_HAS_PRODUCT')
  async updateProject(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Body() changes: UpdateProjectDto,
  ): Promise<UpdatedProject> {
    const project = await this.projects.update(id, accountId, changes);
    return { message: 'Project updated', project: toProjectDto(project) };
  }

  @Delete(':id')
  @Describe(
    'Delete a project and its licenses',
    'Fails if the project has an ACTIVE or SUSPENDED license, unless `withLicenses` is true. Once this ' +
      'response is sent, the keys of its licenses are no longer valid. It can be restored for 30 days.',
  )
  @Responds(204, 'Project deleted')
  @ApiErrors('PROJECT_NOT_FOUND', 'PROJECT_HAS_ACTIVE_LICENSES', 'TOO_MANY_BULK_CHANGES')
  deleteProject(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Query() { withLicenses = false }: DeletionQuery,
  ): Promise<void> {
    return this.projects.delete(id, accountId, withLicenses);
  }

  @Post(':id/licenses/revoke')
  @Describe(
    'Revoke all licenses of a project',
    'Revokes all current licenses of the project in the background, with one event per license. If a revocation of the project is ' +
      'already in progress, the request extends it to newer licenses, and its reason applies to all licenses that remain.',
  )
  @Responds(202, 'Revocation started', RevocationStarted)
  @ApiErrors('PROJECT_NOT_FOUND', 'TOO_MANY_BULK_CHANGES')
  async revokeLicenses(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Body() { reason }: RevokeLicensesDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<RevocationStarted> {
    await this.projects.revokeLicenses(id, accountId, reason ?? null, idempotency);
    return { message: 'Licenses are being revoked' };
  }

  @Post(':id/licenses')
  @Describe(
    'Issue another license for a project',
    'The license is PENDING until it is first activated.',
  )
  @Responds(201, 'The new license', ChangedLicense)
  @ApiResponse({
    status: 200,
    description: 'The license that has this `externalId`, with `ifExists`',
    type: ChangedLicense,
  })
  @ApiErrors(...TERM_ERRORS, 'PROJECT_NOT_FOUND', 'LICENSE_QUOTA_REACHED')
  async createLicense(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Body() terms: CreateLicenseDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<ChangedLicense> {
    const issued = await this.projects.addLicenses(id, accountId, terms, undefined, idempotency);
    const [license] = issued.licenses;
    if (!issued.isFound) return this.licenses.respond('License created', license!);
    reply.status(200);
    return this.licenses.respond('License already exists', license!);
  }

  @Post(':id/licenses/batch')
  @Describe(
    'Issue up to 100 licenses for a project',
    'Issues all of them or none. Each is PENDING and has its own key.',
  )
  @Responds(201, 'The new licenses', CreatedLicenses)
  @ApiErrors(...TERM_ERRORS, 'PROJECT_NOT_FOUND', 'LICENSE_QUOTA_REACHED')
  async createLicenses(
    @Account() accountId: AccountId,
    @Param() { id }: IdParam,
    @Body() { count, ...terms }: CreateLicensesDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<CreatedLicenses> {
    const issued = await this.projects.addLicenses(id, accountId, terms, count, idempotency);
    const licenses = await this.licenses.presentEach(issued.licenses);
    return { message: 'Licenses created', licenses };
  }
}
