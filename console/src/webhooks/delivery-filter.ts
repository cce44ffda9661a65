import type { Delivery } from '../api/types.js';
import { deliveryStatus } from './webhook-texts.js';

/** The filter of a webhook's deliveries, as stored in the URL. */
export interface DeliveryFilter {
  readonly status?: Delivery['status'];
}

/** Reads the filter from a URL and drops an invalid one. */
export const toDeliveryFilter = ({ status }: Record<string, unknown>): DeliveryFilter =>
  isStatus(status) ? { status } : {};

const isStatus = (value: unknown): value is Delivery['status'] =>
  typeof value === 'string' && Object.hasOwn(deliveryStatus, value);
