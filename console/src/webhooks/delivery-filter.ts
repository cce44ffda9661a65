import type { Delivery } from '../api/types.js';
import { deliveryStatus } from './webhook-texts.js';

/** The filter of the deliveries of a webhook, as in the address. */
export interface DeliveryFilter {
  readonly status?: Delivery['status'];
}

/** Reads the filter in an address and drops an invalid one. */
export const toDeliveryFilter = ({ status }: Record<string, unknown>): DeliveryFilter =>
  isStatus(status) ? { status } : {};

const isStatus = (value: unknown): value is Delivery['status'] =>
  typeof value === 'string' && Object.hasOwn(deliveryStatus, value);
