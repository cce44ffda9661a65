import { ApiHideProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsEmpty, IsIn, IsOptional, ValidateIf } from 'class-validator';
import {
  LicenseTermsDto,
  NewLicenseDto,
  RevokeLicenseDto,
} from '../../licenses/dto/license.dto.js';
import { IsDuration, isGiven, IsInteger, Satisfies } from '../../licenses/dto/terms.decorators.js';
import { IsProductLabel } from '../../licenses/dto/product.decorators.js';
import { IsName, IsObjectId, Required } from '../../shared/fields/request.decorators.js';
import { CountedPageQuery } from '../../shared/pagination/page.query.js';

/** Body of POST /projects/createProject (specification, section 4.2). */
export class CreateProjectDto extends NewLicenseDto {
  @Required('CLIENT_ID_AND_PROJECT_NAME_REQUIRED')
  @IsObjectId('The client the project belongs to')
  clientId!: string;

  @Required('CLIENT_ID_AND_PROJECT_NAME_REQUIRED')
  @IsName(200, { example: 'Web shop' })
  projectName!: string;

  @IsOptional()
  @IsProductLabel('The product label that your software sends. Cannot be changed once set.', {
    nullable: true,
  })
  product?: string | null;

  @IsDuration(
    'Months from the first activation. One of `duration`, `days`, `perpetual`, `expiresAt` and `plan` is required',
    true,
  )
  override duration?: number | null;
}

export class UpdateProjectDto {
  @ApiPropertyOptional()
  @ValidateIf((body: UpdateProjectDto) => body.name !== undefined)
  @Required('PROJECT_NAME_REQUIRED')
  @IsName(200, { example: 'Web shop' })
  name?: string;

  @ValidateIf((body: UpdateProjectDto) => body.product !== undefined)
  @IsProductLabel('Product label. Can only be set if the project has none.')
  product?: string;
}

/** Body of POST /projects/:id/licenses. */
export class CreateLicenseDto extends NewLicenseDto {
  @ApiPropertyOptional({
    description:
      '`return`: if a license of the project has this `externalId`, the response is 200 with that license, unchanged',
    type: String,
    enum: ['return'],
    nullable: true,
    example: 'return',
  })
  @IsOptional()
  @IsIn(['return'])
  @Satisfies(
    'hasExternalId',
    (_value, body) => isGiven((body as NewLicenseDto).externalId),
    'ifExists needs externalId',
  )
  ifExists?: 'return' | null;
}

/** Body of POST /projects/:id/licenses/batch. */
export class CreateLicensesDto extends LicenseTermsDto {
  @IsInteger('Number of licenses to issue', { minimum: 1, maximum: 100, example: 10 })
  count!: number;

  @ApiHideProperty()
  @IsEmpty({ message: 'externalId is unique to one license, so it cannot be set on a batch' })
  externalId?: null;
}

/** Body of POST /projects/:id/licenses/revoke. */
export class RevokeLicensesDto extends RevokeLicenseDto {}

export class ProjectListQuery extends CountedPageQuery {
  @IsObjectId('Only projects of this client', { required: false })
  clientId?: string;

  @IsOptional()
  @IsProductLabel('Only projects of this product')
  product?: string;
}
