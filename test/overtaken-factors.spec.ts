import { generateSync } from 'otplib';
import { type User, USERS } from '../src/auth/accounts/user.js';
import { FactorsService } from '../src/auth/factors/factors.service.js';
import { NO_FACTORS } from '../src/auth/factors/factors.js';
import { SignIn } from '../src/auth/factors/sign-in.service.js';
import { StepUp } from '../src/auth/factors/step-up.service.js';
import type { UserPrincipal } from '../src/auth/principal.js';
import { SESSIONS } from '../src/auth/sessions/session.js';
import { SessionsService } from '../src/auth/sessions/sessions.service.js';
import { Turns } from '../src/storage/turns.js';
import { Authenticator } from './authenticator.js';
import { DEVICE, PASSWORD, useServices } from './services.js';

const PUBLIC_URL = 'https://licenses.example.com';
const { store, clock, the, stored, change, addAccount, inSession, beforeNextCommit } = useServices(
  undefined,
  { PUBLIC_URL },
);

let user: User;
let caller: UserPrincipal;
let other: UserPrincipal;
beforeEach(async () => {
  // As if the other request came from another instance, which does not wait for this one's decisions.
  jest.spyOn(Turns.prototype, 'run').mockImplementation((_key, work) => work());
  user = await addAccount();
  caller = await inSession(user);
  other = await inSession(user);
});

const codeOf = (secret: string) =>
  generateSync({ secret, epoch: Math.floor(clock.now().getTime() / 1000) });

/** Starts setting up an app. @returns its secret, and a function that confirms it */
async function setUpApp(by: UserPrincipal) {
  const { secret } = await the(FactorsService).setUpTotp(by);
  return { secret, confirm: () => the(FactorsService).confirmTotp(by, codeOf(secret)) };
}

/** A login with an app. @returns the next code, and the callers as they are then */
async function withApp() {
  const { secret, confirm } = await setUpApp(caller);
  await confirm();
  other = await inSession(user);
  clock.advance({ seconds: 30 });
  const factors = ['totp'] as const;
  return { code: codeOf(secret), caller: { ...caller, factors }, other: { ...other, factors } };
}

async function addPasskey(by: UserPrincipal) {
  const options = await the(FactorsService).passkeyOptions(by);
  const response = new Authenticator(PUBLIC_URL).create(options);
  return () => the(FactorsService).addPasskey(by, 'Phone', response as never);
}

async function challenge(): Promise<string> {
  const { fields } = await the(SignIn).challenge(await stored(USERS, user), ['totp']);
  return String(fields.challenge);
}

const factorsNow = async () => (await stored(USERS, user)).factors;
const newPassword = () => change(USERS, user, { passwordHash: 'of another password' });
const rejected = (code: string) => expect.objectContaining({ code }) as unknown;

/** The outcome of a request if another one commits just before it. */
async function overtaken(request: () => Promise<unknown>, by: () => Promise<unknown>) {
  beforeNextCommit(by);
  return request().catch((error: unknown) => error);
}

it('Of two sessions that add the first factor, one gets recovery codes, and the other has ended', async () => {
  const [first, second] = [await setUpApp(caller), await addPasskey(other)];
  let codes: unknown;
  const outcome = await overtaken(second, async () => (codes = await first.confirm()));
  expect(outcome).toEqual(rejected('UNAUTHORIZED'));
  expect(codes).toHaveLength(10);
  const { passkeys, recoveryCodes } = await factorsNow();
  expect([passkeys.length, recoveryCodes.length]).toEqual([0, 10]);
  expect(store.all(SESSIONS).map(({ _id }) => _id)).toEqual([caller.session]);
});

it('A first factor ends a session that starts in the meantime', async () => {
  const { confirm } = await setUpApp(caller);
  await overtaken(confirm, () => the(SessionsService).start(user, DEVICE));
  expect(store.all(SESSIONS).map(({ _id }) => _id)).toEqual([caller.session]);
});

it('Two sessions that remove the last two factors leave no factors and no recovery codes', async () => {
  await withApp();
  await (
    await addPasskey(caller)
  )();
  const { passkeys } = await factorsNow();
  const removal = (_id: string, by: UserPrincipal) => the(FactorsService).remove(_id, by);
  await overtaken(
    () => removal('totp', caller),
    () => removal(passkeys[0]!._id, other),
  );
  expect(await factorsNow()).toEqual(NO_FACTORS);
});

it('A session that ends in the meantime changes no factor', async () => {
  await withApp();
  for (const request of [
    () => the(FactorsService).remove('totp', caller),
    async () => (await addPasskey(caller))(),
    () => the(FactorsService).createRecoveryCodes(caller),
  ]) {
    const before = await factorsNow();
    const end = () => the(SessionsService).endOne(caller.session, other);
    expect(await overtaken(request, end)).toEqual(rejected('UNAUTHORIZED'));
    expect(await factorsNow()).toEqual(before);
    Object.assign(caller, await inSession(user));
  }
});

describe('A sign-in with a correct code is rejected if overtaken by', () => {
  it.each<[string, string, (code: string, by: UserPrincipal) => Promise<unknown>]>([
    ['the removal of the app', 'WRONG_FACTOR', (_, by) => the(FactorsService).remove('totp', by)],
    ['a new password', 'INVALID_CREDENTIALS', newPassword],
    [
      'another sign-in with the code',
      'WRONG_FACTOR',
      async (code) => the(SignIn).withFactor({ challenge: await challenge(), code }, DEVICE),
    ],
    [
      'a confirmation with the code',
      'WRONG_FACTOR',
      (code, by) => the(StepUp).confirm(by, { code }, DEVICE.address),
    ],
  ])('%s', async (_what, error, by) => {
    const { code, ...as } = await withApp();
    const due = await challenge();
    const request = () => the(SignIn).withFactor({ challenge: due, code }, DEVICE);
    expect(await overtaken(request, () => by(code, as.caller))).toEqual(rejected(error));
  });
});

describe('A confirmation is rejected if overtaken by', () => {
  const confirm = (by: UserPrincipal, proof: object) => () =>
    the(StepUp).confirm(by, proof, DEVICE.address);
  const byPassword = (by: UserPrincipal) => confirm(by, { password: PASSWORD });
  const verifiedAt = async () => {
    const [session] = store.all(SESSIONS).filter(({ _id }) => _id === caller.session);
    return session!.verifiedAt.getTime();
  };
  beforeEach(() => clock.advance({ seconds: 600 }));

  it('a new password', async () => {
    expect(await overtaken(byPassword(caller), newPassword)).toEqual(rejected('UNAUTHORIZED'));
    expect(await verifiedAt()).toBeLessThan(clock.now().getTime());
  });

  it('the first factor of the login', async () => {
    const { confirm: confirmApp } = await setUpApp(caller);
    const outcome = await overtaken(byPassword(caller), confirmApp);
    expect(outcome).toEqual(rejected('FACTOR_REQUIRED'));
    expect(await verifiedAt()).toBeLessThan(clock.now().getTime());
  });

  it('another sign-in with the code', async () => {
    const { code, ...as } = await withApp();
    const outcome = await overtaken(confirm(as.caller, { code }), confirm(as.other, { code }));
    expect(outcome).toEqual(rejected('WRONG_FACTOR'));
  });

  it('the removal of its factor, after which it confirms nothing', async () => {
    const { caller: by } = await withApp();
    beforeNextCommit(() => the(FactorsService).remove('totp', by));
    const wrong = { code: '000000' };
    await expect(confirm(by, wrong)()).rejects.toEqual(rejected('WRONG_FACTOR'));
    await expect(confirm(by, { password: 'x' })()).rejects.toEqual(rejected('FACTOR_REQUIRED'));
  });
});
