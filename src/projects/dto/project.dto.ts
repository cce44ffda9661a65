import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { IsOptional, ValidateIf } from 'class-validator';
import { NewLicenseDto } from '../../licenses/dto/license-terms.dto.js';
import { IsProductLabel } from '../../licenses/dto/product.decorators.js';
import { IsObjectId } from '../../shared/fields/object-id.decorator.js';
import { RejectUnknownFields } from '../../shared/fields/reject-unknown-fields.decorator.js';
import { Required } from '../../shared/fields/required.decorator.js';
import { IsText } from '../../shared/fields/text.decorators.js';
import { PageQuery } from '../../shared/pagination/page.query.js';

/** Body of POST /projects/createProject (specification, section 4.2). */
export class CreateProjectDto extends NewLicenseDto {
  @Required('CLIENT_ID_AND_PROJECT_NAME_REQUIRED')
  @IsObjectId('The client that it belongs to')
  clientId!: string;

  @ApiProperty({ example: 'Web shop', minLength: 1, maxLength: 200 })
  @Required('CLIENT_ID_AND_PROJECT_NAME_REQUIRED')
  @IsText(1, 200)
  projectName!: string;

  @IsOptional()
  @IsProductLabel('The product that shipped software names; it cannot be changed once set', {
    nullable: true,
  })
  product?: string | null;
}

@RejectUnknownFields()
export class UpdateProjectDto {
  @ApiPropertyOptional({ example: 'Web shop', minLength: 1, maxLength: 200 })
  @ValidateIf((body: UpdateProjectDto) => body.name !== undefined)
  @Required('PROJECT_NAME_REQUIRED')
  @IsText(1, 200)
  name?: string;

  @ValidateIf((body: UpdateProjectDto) => body.product !== undefined)
  @IsProductLabel('The product of a project that has none')
  product?: string;
}

/** Body of POST /projects/:id/licenses. */
export class CreateLicenseDto extends NewLicenseDto {}

export class ProjectListQuery extends PageQuery {
  @IsObjectId('Only projects of this client', { required: false })
  clientId?: string;

  @IsOptional()
  @IsProductLabel('Only projects of this product')
  product?: string;
}
