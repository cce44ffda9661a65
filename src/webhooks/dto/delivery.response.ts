import { ApiProperty } from '@nestjs/swagger';
import { EVENT_TYPES, type EventType } from '../../events/event.js';
import {
  ApiInteger,
  ApiObjectId,
  ApiTimestamp,
  toDto,
  WithMessage,
} from '../../shared/fields/response.decorators.js';
import { ListOf } from '../../shared/pagination/page.query.js';
import {
  type Delivery,
  DELIVERY_ERRORS,
  DELIVERY_STATUSES,
  type DeliveryError,
} from '../delivery.js';

export class DeliveryDto {
  @ApiObjectId('Object id')
  _id!: string;

  @ApiObjectId('The event, which is the `webhook-id` of the message')
  event!: string;

  @ApiProperty({ enum: EVENT_TYPES, enumName: 'EventType', example: 'license.renewed' })
  type!: EventType;

  @ApiProperty({ enum: DELIVERY_STATUSES, enumName: 'DeliveryStatus', example: 'delivered' })
  status!: Delivery['status'];

  @ApiInteger('Finished attempts since it was created, or requested again', {
    minimum: 0,
    example: 1,
  })
  attempts!: number;

  @ApiTimestamp('The end of the last attempt', { nullable: true })
  lastAttemptAt!: Date | null;

  @ApiInteger('Status of the last response', { nullable: true, example: 200 })
  responseStatus!: number | null;

  @ApiProperty({
    description: 'Why the last attempt has failed',
    type: String,
    nullable: true,
    enum: [...DELIVERY_ERRORS, null],
    example: null,
  })
  error!: DeliveryError | null;

  @ApiTimestamp('Of a pending one', { nullable: true })
  nextAttemptAt!: Date | null;
}

export class DeliveryListResponse extends ListOf(DeliveryDto) {}

export class RedeliveredResponse extends WithMessage('Delivery requested successfully') {
  @ApiProperty({ type: DeliveryDto })
  delivery!: DeliveryDto;
}

export const toDeliveryDto: (delivery: Delivery) => DeliveryDto = toDto(DeliveryDto);
