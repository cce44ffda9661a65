import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';

/** The options for confirming with a passkey; null without one. */
export const stepUpOptions = async () =>
  (await bodyOf(api.POST('/auth/step-up/options'))).passkeyOptions;
