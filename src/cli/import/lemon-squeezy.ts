import { CommandError } from '../command-error.js';
import type { Resource } from './json-api.js';

/** Means that a license key has no limit of activations. */
const UNLIMITED = 1_000_000;

/**
 * Rows of Lemon Squeezy's `license-keys`. The key of a running subscription has no expiry date, so it
 * expires with the paid period. Instances have no fingerprints, so the machines activate again.
 *
 * @throws CommandError if the subscriptions are missing, because their keys would be imported as perpetual
 */
export function lemonSqueezyRows(pages: ReadonlyMap<string, readonly Resource[]>): object[] {
  const subscriptions = pages.get('subscriptions');
  if (!subscriptions) {
    throw new CommandError('Add the pages of GET /v1/subscriptions, even if they are empty.');
  }
  const subscribed = new Map(
    subscriptions.map(({ attributes }) => [attributes.order_id, attributes]),
  );
  return (pages.get('license-keys') ?? []).map(({ id, attributes }) => ({
    ref: id,
    key: attributes.key,
    client: {
      ref: String(attributes.customer_id),
      email: attributes.user_email,
      name: attributes.user_name,
    },
    product: String(attributes.product_id),
    status: statusOf(attributes),
    issuedAt: attributes.created_at,
    ...endOf(attributes, subscribed.get(attributes.order_id)),
    maxMachines: attributes.activation_limit ?? UNLIMITED,
    metadata: { lemonSqueezyOrder: String(attributes.order_id) },
  }));
}

const endOf = (key: Resource['attributes'], subscription?: Resource['attributes']) => ({
  expiresAt: key.expires_at ?? subscription?.ends_at ?? subscription?.renews_at ?? null,
  subscription: subscription !== undefined,
});

/** An unused key is also active: its first activation does not move its expiry date. */
const statusOf = ({ status, disabled }: Resource['attributes']) =>
  disabled ? 'disabled' : status === 'inactive' ? 'active' : status;
