import type { Webhook } from '../api/types.js';

/** What a webhook is called where a dialog speaks of it: the host of its address. */
export const hostOf = ({ url }: Pick<Webhook, 'url'>): string => new URL(url).host;
