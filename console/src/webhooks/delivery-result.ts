import type { Delivery } from '../api/types.js';
import { deliveries as names, deliveryErrors } from './webhook-texts.js';

/** The result of a delivery's last attempt; null before the first, and before the first after it was sent again. */
export function resultOf({ attempts, responseStatus, error }: Delivery): string | null {
  if (attempts === 0) return null;
  const response = responseStatus === null ? null : names.responded(responseStatus);
  const reason = error && deliveryErrors[error];
  return response && reason ? `${reason}: ${response}` : (reason ?? response);
}
