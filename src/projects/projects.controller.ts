import { Body, Controller, Delete, Get, HttpCode, Param, Patch, Post, Query } from '@nestjs/common';
import {
  ApiCreatedResponse,
  ApiNoContentResponse,
  ApiOkResponse,
  ApiOperation,
  ApiTags,
} from '@nestjs/swagger';
import { CurrentUser } from '../auth/auth.decorators.js';
import type { Principal } from '../auth/principal.js';
import { ChangedLicense } from '../licenses/dto/license.response.js';
import { LicensePresenter } from '../licenses/license.presenter.js';
import { WithErrorShape } from '../server/errors/error-body.js';
import { ApiErrors } from '../openapi/decorators/api-errors.decorator.js';
import { IdParams } from '../shared/fields/object-id.decorator.js';
import { toListResponse, toPageRequest } from '../shared/pagination/page.query.js';
import { ApiIdempotencyKey, Idempotency } from '../shared/idempotency/idempotency.decorator.js';
import type { IdempotencyRecord } from '../shared/idempotency/idempotency-record.js';
import {
  CreateLicenseDto,
  CreateProjectDto,
  ProjectListQuery,
  UpdateProjectDto,
} from './dto/project.dto.js';
import {
  CreatedProject,
  ProjectDto,
  ProjectListResponse,
  toProjectDto,
  UpdatedProject,
} from './dto/project.response.js';
import { ProjectsService } from './projects.service.js';

const LIST = 'projects';

@ApiTags('projects')
@Controller('projects')
export class ProjectsController {
  constructor(
    private readonly projects: ProjectsService,
    private readonly licenses: LicensePresenter,
  ) {}

  @Post('createProject')
  @WithErrorShape({ unexpected: 'PROJECT_CREATION_FAILED' })
  @ApiIdempotencyKey()
  @ApiOperation({
    operationId: 'createProject',
    summary: 'Create a project with its first license',
    description: 'Both are created or neither. The license is PENDING until its first activation.',
  })
  @ApiCreatedResponse({ type: CreatedProject, description: 'The new project and its license' })
  @ApiErrors(
    'CLIENT_ID_AND_PROJECT_NAME_REQUIRED',
    'INVALID_DURATION',
    'SERVICES_REQUIRED',
    'CLIENT_NOT_FOUND',
    'PROJECT_QUOTA_REACHED',
    'LICENSE_QUOTA_REACHED',
    'PROJECT_CREATION_FAILED',
  )
  async create(
    @CurrentUser() { accountId }: Principal,
    @Body() { clientId, projectName, product, duration, services }: CreateProjectDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<CreatedProject> {
    const request = {
      client: clientId,
      name: projectName,
      product: product ?? null,
      duration,
      services,
    };
    const created = await this.projects.createWithFirstLicense(accountId, request, idempotency);
    return {
      message: 'Project and license created successfully',
      project: toProjectDto(created.project),
      license: this.licenses.presentChanged(created.license),
    };
  }

  @Get()
  @ApiOperation({
    operationId: 'listProjects',
    summary: 'List your projects',
    description: 'The newest first, a page at a time; the filters are combined.',
  })
  @ApiOkResponse({ type: ProjectListResponse, description: 'A page of projects' })
  async list(
    @CurrentUser() { accountId }: Principal,
    @Query() query: ProjectListQuery,
  ): Promise<ProjectListResponse> {
    const { clientId: client, product } = query;
    const request = toPageRequest(query, LIST);
    const page = await this.projects.list(accountId, { client, product }, request);
    return toListResponse(page, LIST, toProjectDto);
  }

  @Get(':id')
  @ApiOperation({
    operationId: 'getProject',
    summary: 'Read a project',
    description: "Another user's project is not found.",
  })
  @ApiOkResponse({ type: ProjectDto, description: 'The project' })
  @ApiErrors('PROJECT_NOT_FOUND')
  async get(
    @CurrentUser() { accountId }: Principal,
    @Param() { id }: IdParams,
  ): Promise<ProjectDto> {
    return toProjectDto(await this.projects.get(id, accountId));
  }

  @Patch(':id')
  @ApiOperation({
    operationId: 'updateProject',
    summary: 'Rename a project, or give it a product',
    description:
      'A project without a product may be given one, which its licenses take over; it stays from then on, so null is rejected. ' +
      'A field that is not listed here is rejected.',
  })
  @ApiOkResponse({ type: UpdatedProject, description: 'The project as it is now' })
  @ApiErrors('PROJECT_NAME_REQUIRED', 'PROJECT_NOT_FOUND', 'PROJECT_HAS_PRODUCT')
  async update(
    @CurrentUser() { accountId }: Principal,
    @Param() { id }: IdParams,
    @Body() changes: UpdateProjectDto,
  ): Promise<UpdatedProject> {
    const project = await this.projects.update(id, accountId, changes);
    return { message: 'Project updated successfully', project: toProjectDto(project) };
  }

  @Delete(':id')
  @HttpCode(204)
  @ApiOperation({
    operationId: 'deleteProject',
    summary: 'Delete a project with its licenses',
    description: 'A project with a license that is ACTIVE is kept.',
  })
  @ApiNoContentResponse({ description: 'It is deleted' })
  @ApiErrors('PROJECT_NOT_FOUND', 'PROJECT_HAS_ACTIVE_LICENSES')
  delete(@CurrentUser() { accountId }: Principal, @Param() { id }: IdParams): Promise<void> {
    return this.projects.delete(id, accountId);
  }

  @Post(':id/licenses')
  @ApiIdempotencyKey()
  @ApiOperation({
    operationId: 'createLicense',
    summary: 'Issue one more license for a project',
    description: 'It is PENDING until its first activation.',
  })
  @ApiCreatedResponse({ type: ChangedLicense, description: 'The new license' })
  @ApiErrors('INVALID_DURATION', 'SERVICES_REQUIRED', 'PROJECT_NOT_FOUND', 'LICENSE_QUOTA_REACHED')
  async createLicense(
    @CurrentUser() { accountId }: Principal,
    @Param() { id }: IdParams,
    @Body() terms: CreateLicenseDto,
    @Idempotency() idempotency: IdempotencyRecord | undefined,
  ): Promise<ChangedLicense> {
    const license = await this.projects.addLicense(id, accountId, terms, idempotency);
    return {
      message: 'License created successfully',
      license: this.licenses.presentChanged(license),
    };
  }
}
