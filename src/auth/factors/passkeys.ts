import type {
  AuthenticationResponseJSON,
  PublicKeyCredentialCreationOptionsJSON,
  PublicKeyCredentialRequestOptionsJSON,
  RegistrationResponseJSON,
} from '@simplewebauthn/server';
import { newObjectId } from '../../shared/ids.js';
import type { Passkey } from './factors.js';
import type { Site } from './relying-party.js';

export type PasskeyOptions = PublicKeyCredentialRequestOptionsJSON;
export type NewPasskeyOptions = PublicKeyCredentialCreationOptionsJSON;
export type PasskeyResponse = AuthenticationResponseJSON;
export type NewPasskeyResponse = RegistrationResponseJSON;

/** How long the browser waits for the user, in milliseconds. */
const TIMEOUT = 5 * 60_000;

// Loaded on first use, because it includes an X.509 parser that most starts and tests do not need.
const webAuthn = () => import('@simplewebauthn/server');

/** The base64url of the bytes of a base64url challenge, because the library encodes challenges once more. */
const bytesOf = (challenge: string) => new Uint8Array(Buffer.from(challenge, 'base64url'));

/** @param passkeys the passkeys that the browser may offer; if empty, any of the site */
export async function requestOptions(
  { id: rpID }: Site,
  challenge: string,
  passkeys: readonly Passkey[] = [],
): Promise<PasskeyOptions> {
  const { generateAuthenticationOptions } = await webAuthn();
  return generateAuthenticationOptions({
    rpID,
    challenge: bytesOf(challenge),
    allowCredentials: credentialsOf(passkeys, rpID),
    userVerification: 'required',
    timeout: TIMEOUT,
  });
}

export async function creationOptions(
  { id: rpID }: Site,
  challenge: string,
  user: { readonly handle: string; readonly email: string; readonly name: string },
  passkeys: readonly Passkey[],
): Promise<NewPasskeyOptions> {
  const { generateRegistrationOptions } = await webAuthn();
  return generateRegistrationOptions({
    rpName: 'License management',
    rpID,
    challenge: bytesOf(challenge),
    userID: bytesOf(user.handle),
    userName: user.email,
    userDisplayName: user.name,
    attestationType: 'none',
    excludeCredentials: credentialsOf(passkeys, rpID),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    timeout: TIMEOUT,
  });
}

const credentialsOf = (passkeys: readonly Passkey[], rpId: string) =>
  passkeys
    .filter((passkey) => passkey.rpId === rpId)
    .map(({ credentialId: id, transports }) => ({ id, transports: [...transports] }));

/** The challenge that a response signs; empty if the response is malformed. */
export function challengeOf(response: PasskeyResponse | NewPasskeyResponse): string {
  try {
    const data = Buffer.from(response.response.clientDataJSON, 'base64url').toString();
    return String((JSON.parse(data) as { challenge?: unknown }).challenge);
  } catch {
    return '';
  }
}

/**
 * The passkey after this use; null if the response is not valid: for another challenge, origin or domain,
 * without user verification, or with a counter that did not increase.
 */
export async function used(
  passkey: Passkey,
  response: PasskeyResponse,
  challenge: string,
  { id, origin }: Site,
  now: Date,
): Promise<Passkey | null> {
  const { verifyAuthenticationResponse } = await webAuthn();
  const { credentialId, publicKey, counter } = passkey;
  try {
    const { verified, authenticationInfo } = await verifyAuthenticationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: id,
      credential: { id: credentialId, publicKey: bytesOf(publicKey), counter },
    });
    return verified
      ? { ...passkey, counter: authenticationInfo.newCounter, lastUsedAt: now }
      : null;
  } catch {
    // The library throws on anything wrong in a response.
    return null;
  }
}

/** A new passkey from a browser's response; null if it is not for this challenge and site. */
export async function created(
  name: string,
  response: NewPasskeyResponse,
  challenge: string,
  { id: rpId, origin }: Site,
  now: Date,
): Promise<Passkey | null> {
  const { verifyRegistrationResponse } = await webAuthn();
  try {
    if (!(await isUnattested(response))) return null;
    const { registrationInfo } = await verifyRegistrationResponse({
      response,
      expectedChallenge: challenge,
      expectedOrigin: origin,
      expectedRPID: rpId,
    });
    if (!registrationInfo) return null;
    const { id: credentialId, publicKey, counter, transports = [] } = registrationInfo.credential;
    return {
      ...{
        _id: newObjectId(),
        name,
        credentialId,
        counter,
        rpId,
        createdAt: now,
        lastUsedAt: null,
      },
      publicKey: Buffer.from(publicKey).toString('base64url'),
      transports: transports.filter((one) => typeof one === 'string').slice(0, 10),
    };
  } catch {
    return null;
  }
}

/** Whether a response has no certificates. The library would fetch the URLs that certificates contain. */
async function isUnattested({ response }: NewPasskeyResponse): Promise<boolean> {
  const { decodeAttestationObject } = await import('@simplewebauthn/server/helpers');
  const bytes = bytesOf(response.attestationObject);
  const attestation = decodeAttestationObject(bytes);
  return attestation.get('fmt') === 'none';
}
