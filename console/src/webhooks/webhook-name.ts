import type { Webhook } from '../api/types.js';

/** The name of a webhook: its description, or else its URL, because several webhooks can have the same host. */
export const nameOf = ({ url, description }: Pick<Webhook, 'url' | 'description'>): string =>
  description ?? url.replace(/^https?:\/\//, '');
