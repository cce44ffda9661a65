import type { Resource } from './json-api.js';

/** Stands for a license key without a limit of activations. */
const UNLIMITED = 1_000_000;

/**
 * Rows of Lemon Squeezy's `license-keys`; with `subscriptions`, a running one without an end is recognized. Instances have no
 * fingerprints, so the machines activate again.
 */
export function lemonSqueezyRows(pages: ReadonlyMap<string, readonly Resource[]>): object[] {
  const subscribed = new Set(
    (pages.get('subscriptions') ?? []).map(({ attributes }) => attributes.order_id),
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
    expiresAt: attributes.expires_at ?? null,
    subscription: attributes.expires_at === null && subscribed.has(attributes.order_id),
    maxMachines: attributes.activation_limit ?? UNLIMITED,
    metadata: { lemonSqueezyOrder: String(attributes.order_id) },
  }));
}

/** An unused key is active, too: its first activation does not move its expiry date. */
const statusOf = ({ status, disabled }: Resource['attributes']) =>
  disabled ? 'disabled' : status === 'inactive' ? 'active' : status;
