import { ApiPropertyOptional } from '@nestjs/swagger';
import { ValidateIf } from 'class-validator';
import { RejectUnknownFields } from '../../shared/fields/reject-unknown-fields.decorator.js';
import { Required } from '../../shared/fields/required.decorator.js';
import { IsText } from '../../shared/fields/text.decorator.js';

/** Body of PATCH /projects/:id. */
@RejectUnknownFields()
export class UpdateProjectDto {
  @ApiPropertyOptional({ example: 'Web shop', minLength: 1, maxLength: 200 })
  @ValidateIf((body: UpdateProjectDto) => body.name !== undefined)
  @Required('PROJECT_NAME_REQUIRED')
  @IsText(1, 200)
  name?: string;
}
