import { ApiPropertyOptional } from '@nestjs/swagger';
import { IsIn, IsOptional } from 'class-validator';
import { PageQuery } from '../../shared/pagination/page.query.js';
import { type Delivery, DELIVERY_STATUSES } from '../delivery.js';

/** The query of GET /webhooks/:id/deliveries. */
export class DeliveryListQuery extends PageQuery {
  @ApiPropertyOptional({
    description: 'Only deliveries with this status',
    enum: DELIVERY_STATUSES,
    enumName: 'DeliveryStatus',
    example: 'failed',
  })
  @IsOptional()
  @IsIn(DELIVERY_STATUSES)
  status?: Delivery['status'];
}
