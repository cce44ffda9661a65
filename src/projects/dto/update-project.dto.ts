import { ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { RefuseUnknownFields } from '../../shared/http/fields/refuse-unknown-fields.decorator.js';
import { Required } from '../../shared/http/fields/required.decorator.js';
import { IsText } from '../../shared/http/fields/text.decorator.js';

/** Body of PATCH /projects/:id. */
@RefuseUnknownFields()
export class UpdateProjectDto {
  @ApiPropertyOptional({ example: 'Web shop', minLength: 1, maxLength: 200 })
  @ValidateIf((body: UpdateProjectDto) => body.name !== undefined)
  @Required('PROJECT_NAME_REQUIRED')
  @IsText(1, 200)
  name?: string;
}
