import type { PublicKeyCredentialRequestOptionsJSON } from '@simplewebauthn/server';
import { generateSync } from 'otplib';
import type { TestApp } from '../../app.js';
import { Authenticator } from '../../authenticator.js';
import { type Developer, type LoggedInDeveloper, PASSWORD } from '../developer.js';
import { useApp } from '../use-app.js';

export const PUBLIC_URL = 'https://licenses.example.com';

/** The code that an authenticator app shows now. */
export const codeOf = (secret: string, { clock }: TestApp): string =>
  generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) });

/** The next valid code, one step later. */
export function nextCode(secret: string, app: TestApp): string {
  app.clock.advance({ seconds: 30 });
  return codeOf(secret, app);
}

/** A code that is wrong now. */
export const wrongCode = (secret: string, app: TestApp): string => {
  const digit = (Number(codeOf(secret, app)[0]) + 5) % 10;
  return `${digit}${codeOf(secret, app).slice(1)}`;
};

export interface WithTotp extends LoggedInDeveloper {
  readonly secret: string;
  readonly recoveryCodes: string[];
}

/** Sets up an authenticator app. */
export async function withTotp(app: TestApp, developer: LoggedInDeveloper): Promise<WithTotp> {
  const { secret } = (await app.post('/auth/factors/totp', {}, developer)).body;
  const confirmation = { code: codeOf(secret as string, app) };
  const { body } = await app.post('/auth/factors/totp/confirm', confirmation, developer);
  return { ...developer, secret, recoveryCodes: body.recoveryCodes };
}

export interface WithPasskey extends LoggedInDeveloper {
  readonly passkey: Authenticator;
  readonly recoveryCodes: string[] | null;
}

/** Adds a passkey. */
export async function withPasskey(
  app: TestApp,
  developer: LoggedInDeveloper,
): Promise<WithPasskey> {
  const passkey = new Authenticator(PUBLIC_URL);
  const { passkeyOptions } = (await app.post('/auth/factors/passkeys/options', {}, developer)).body;
  const body = { name: 'Phone', response: passkey.create(passkeyOptions) };
  const { recoveryCodes } = (await app.post('/auth/factors/passkeys', body, developer)).body;
  return { ...developer, passkey, recoveryCodes };
}

/** The body of the 403 after a correct password. */
export async function challengeOf(app: TestApp, { email }: Developer, from?: string) {
  const call = from ? { from } : {};
  const { body } = await app.post('/auth/login', { email, password: PASSWORD }, call);
  return body as {
    readonly challenge: string;
    readonly factors: readonly string[];
    readonly passkeyOptions: PublicKeyCredentialRequestOptionsJSON;
  };
}

/** An application with passkeys, a new developer before each test, and the calls about second factors. */
export function useSecondFactors() {
  const app = useApp({ PUBLIC_URL });
  const ada = {} as LoggedInDeveloper;
  beforeEach(async () => void Object.assign(ada, await app.register()));
  const signIn = (body: object, from?: string) =>
    app.post('/auth/login/factor', body, from ? { from } : {});
  const factorsOf = async (caller: LoggedInDeveloper) =>
    (await app.get('/auth/factors', caller)).body;
  return { app, ada, signIn, factorsOf };
}
