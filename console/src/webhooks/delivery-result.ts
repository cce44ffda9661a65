import type { Delivery, DeliveryAttempt } from '../api/types.js';
import { deliveries as names, deliveryErrors } from './webhook-texts.js';

/** The result of a delivery's last attempt; null before the first attempt, including after it was sent again. */
export const resultOf = (delivery: Delivery): string | null =>
  delivery.attempts === 0 ? null : resultOfAttempt(delivery);

export function resultOfAttempt({
  responseStatus,
  error,
}: Pick<DeliveryAttempt, 'responseStatus' | 'error'>): string | null {
  const response = responseStatus === null ? null : names.responded(responseStatus);
  const reason = error && deliveryErrors[error];
  return response && reason ? `${reason}: ${response}` : (reason ?? response);
}
