import { IsObjectId } from './object-id.decorator.js';

/** The path parameter `:id`. */
export class IdParams {
  @IsObjectId('Object id of the record')
  id!: string;
}
