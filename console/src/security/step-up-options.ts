import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';

/** The options for confirming with a passkey; null if there is none. */
export const stepUpOptions = async () =>
  (await bodyOf(api.POST('/auth/step-up/options'))).passkeyOptions;
