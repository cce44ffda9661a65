import { PageQuery } from '../../shared/pagination/page.query.js';
import { type Delivery, DELIVERY_STATUSES } from '../delivery.js';
import { IsOneOf } from '../../shared/fields/value.decorators.js';

/** The query of GET /webhooks/:id/deliveries. */
export class DeliveryListQuery extends PageQuery {
  @IsOneOf(DELIVERY_STATUSES, {
    description: 'Only deliveries with this status',
    enumName: 'DeliveryStatus',
    example: 'failed',
    required: false,
  })
  status?: Delivery['status'];
}
