import type { Webhook } from '../api/types.js';

/** The name of a webhook in dialogs: the host of its URL. */
export const hostOf = ({ url }: Pick<Webhook, 'url'>): string => new URL(url).host;
