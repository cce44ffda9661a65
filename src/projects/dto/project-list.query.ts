import { IsOptional } from 'class-validator';
import { IsObjectId } from '../../shared/fields/object-id.decorator.js';
import { PageQuery } from '../../shared/pagination/page.query.js';

/** The query of GET /projects. */
export class ProjectListQuery extends PageQuery {
  @IsOptional()
  @IsObjectId('Only projects of this client', { required: false })
  clientId?: string;
}
