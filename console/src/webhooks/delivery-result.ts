import type { Delivery } from '../api/types.js';
import { deliveries as names, deliveryErrors } from './webhook-texts.js';

/** The result of a delivery's last attempt; null before the first. */
export function resultOf({ responseStatus, error }: Delivery): string | null {
  const response = responseStatus === null ? null : names.responded(responseStatus);
  const reason = error && deliveryErrors[error];
  return response && reason ? `${reason}: ${response}` : (reason ?? response);
}
