import { createHmac, type KeyObject, randomBytes } from 'node:crypto';
import { open, seal } from '../shared/sealing/sealing.js';
import { addDays } from '../shared/time/calendar.js';
import type { SealedSecret, Webhook } from './webhook.js';

const PREFIX = 'whsec_';

/** A new Standard Webhooks secret: the prefix, and 256 random bits in base64. */
export const newSecret = (): string => PREFIX + randomBytes(32).toString('base64');

const contextOf = (webhook: string) => `webhook ${webhook}`;

export const sealedSecret = (key: KeyObject, webhook: string, secret: string): SealedSecret => ({
  sealed: seal(key, Buffer.from(secret), contextOf(webhook)),
  endsAt: null,
});

/** The text of a stored secret. */
export const openSecret = (key: KeyObject, webhook: string, { sealed }: SealedSecret): string =>
  open(key, sealed, contextOf(webhook)).toString();

/** Adds a new current secret. The previous secret also signs for a day, unless it must end now. */
export function rotated(
  [current]: readonly SealedSecret[],
  secret: SealedSecret,
  now: Date,
  expireOld: boolean,
): SealedSecret[] {
  return current && !expireOld ? [secret, { ...current, endsAt: addDays(now, 1) }] : [secret];
}

/** The secrets that sign messages now. */
export const openSecrets = (
  key: KeyObject,
  { _id, secrets }: Pick<Webhook, '_id' | 'secrets'>,
  now: Date,
): string[] =>
  secrets
    .filter(({ endsAt }) => endsAt === null || endsAt > now)
    .map((secret) => openSecret(key, _id, secret));

/** The headers of a signed message (Standard Webhooks 1.0): its id, the time of the attempt, and one signature per secret. */
export function signedHeaders(id: string, body: string, secrets: readonly string[], now: Date) {
  const timestamp = Math.floor(now.getTime() / 1000);
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(PREFIX.length), 'base64');
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`);
    return `v1,${signature.digest('base64')}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  };
}
