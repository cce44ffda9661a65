import { IsOptional } from 'class-validator';
import { IsObjectId } from '../../shared/http/fields/object-id.decorator.js';
import { PageQuery } from '../../shared/http/pagination/page.query.js';

/** The query of GET /projects. */
export class ProjectListQuery extends PageQuery {
  @IsOptional()
  @IsObjectId('Only projects of this client', { required: false })
  clientId?: string;
}
