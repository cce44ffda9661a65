import { PasskeyUnused } from '../api/api-error.js';
import { passkeyErrors } from './security-texts.js';

/** The data from the service for `navigator.credentials`. */
export type PasskeyOptions = Record<string, unknown>;

const load = () => import('@simplewebauthn/browser');

/** Asks the user for a passkey. @throws PasskeyUnused */
export async function askForPasskey(options: PasskeyOptions): Promise<PasskeyOptions> {
  const { startAuthentication } = await load();
  const optionsJSON = options as unknown as PublicKeyCredentialRequestOptionsJSON;
  return run(optionsJSON.rpId, () => startAuthentication({ optionsJSON } as never));
}

/** Creates a passkey. @throws PasskeyUnused */
export async function createPasskey(options: PasskeyOptions): Promise<PasskeyOptions> {
  const { startRegistration } = await load();
  const optionsJSON = options as unknown as PublicKeyCredentialCreationOptionsJSON;
  return run(optionsJSON.rp.id, () => startRegistration({ optionsJSON } as never));
}

/** Offers passkeys when the browser fills in the email field. @returns null if the user chooses none */
export async function offerPasskeys(options: PasskeyOptions): Promise<PasskeyOptions | null> {
  const { browserSupportsWebAuthnAutofill, startAuthentication } = await load();
  if (!(await browserSupportsWebAuthnAutofill())) return null;
  const request = { optionsJSON: options, useBrowserAutofill: true };
  return startAuthentication(request as never).catch(() => null) as Promise<PasskeyOptions | null>;
}

/** Cancels the offer. */
export const stopOffering = async (): Promise<void> =>
  (await load()).WebAuthnAbortService.cancelCeremony();

async function run(domain: string | undefined, ceremony: () => Promise<unknown>) {
  if (domain !== undefined && !worksHere(domain)) {
    throw new PasskeyUnused(passkeyErrors.elsewhere(domain));
  }
  try {
    return (await ceremony()) as PasskeyOptions;
  } catch (cause) {
    throw new PasskeyUnused(passkeyErrors.unused, { cause });
  }
}

/** Whether this page has the address that passkeys are created for. */
export const worksHere = (domain: unknown): boolean =>
  domain === location.hostname && 'PublicKeyCredential' in window;
