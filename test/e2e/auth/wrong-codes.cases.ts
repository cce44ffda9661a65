import { runAccountCommand } from '../../../src/cli/accounts.js';
import { expectError } from '../responses.js';
import {
  challengeOf,
  codeOf,
  nextCode,
  useSecondFactors,
  withPasskey,
  withTotp,
  wrongCode,
} from './second-factors.js';

const DAY = 24 * 60 * 60;
const STRANGE = '198.51.100.7';

describe('Ten wrong codes in 24 hours', () => {
  const { app, ada, signIn } = useSecondFactors();
  let secret: string;
  let recoveryCodes: string[];
  beforeEach(async () => {
    ({ secret, recoveryCodes } = await withTotp(app, ada));
  });

  const send = async (factor: object, from?: string) => {
    const { challenge } = await challengeOf(app, ada, from);
    return signIn({ challenge, ...factor }, from);
  };
  const guess = (from?: string) => send({ code: wrongCode(secret, app) }, from);
  const signInFrom = (from?: string) => send({ code: nextCode(secret, app) }, from);
  /** Guesses until codes are rejected without being checked. @returns the number of guesses */
  const guessAll = async (from?: string) => {
    let guesses = 0;
    while ((await guess(from)).status !== 429) guesses += 1;
    return guesses;
  };

  it('lock codes for 24 hours; known addresses have three more, and passkeys still work', async () => {
    const { passkey } = await withPasskey(app, ada);
    const used = codeOf(secret, app);
    expectError(await send({ code: used }, STRANGE), 'WRONG_FACTOR');
    for (let count = 0; count < 10; count += 1) {
      const wrong = count % 2 ? { code: wrongCode(secret, app) } : { recoveryCode: `${count}` };
      expectError(await send(wrong, STRANGE), 'WRONG_FACTOR');
    }
    const code = nextCode(secret, app);
    for (const factor of [{ code }, { recoveryCode: recoveryCodes[0] }]) {
      const locked = await send(factor, STRANGE);
      expectError(locked, 'TOO_MANY_WRONG_CODES');
      expect(Number(locked.headers.get('retry-after'))).toBeGreaterThan(DAY - 60);
    }
    const { challenge, passkeyOptions } = await challengeOf(app, ada, STRANGE);
    const response = passkey.get(passkeyOptions);
    expect((await signIn({ challenge, response }, '198.51.100.8')).status).toBe(200);
    // The registration made its address known, and the passkey another one.
    expect((await send({ code })).status).toBe(200);
    expect(await guessAll()).toBe(3);
    expectError(await signInFrom('198.51.100.8'), 'TOO_MANY_WRONG_CODES');
    app.clock.advance({ seconds: DAY });
    expect((await signInFrom(STRANGE)).status).toBe(200);
    const token = (await signInFrom()).body.accessToken;
    const events = await app.get('/events?type=account.codes_locked', { token });
    expect(events.body.data).toMatchObject([{ actor: { type: 'system' } }]);
  });

  it('no longer lock after the operator has reset the factors or the password', async () => {
    await guessAll(STRANGE);
    await runAccountCommand(app.nest, 'reset-factors', ada.email);
    ({ secret } = await withTotp(app, await app.logIn(ada)));
    expect((await signInFrom(STRANGE)).status).toBe(200);

    await guessAll('198.51.100.8');
    const text = await runAccountCommand(app.nest, 'reset-password', ada.email);
    const [, password] = /Password: (\S+)/.exec(text)!;
    const from = '198.51.100.9';
    const { challenge } = (await app.post('/auth/login', { email: ada.email, password }, { from }))
      .body;
    expect((await signIn({ challenge, code: nextCode(secret, app) }, from)).status).toBe(200);
  });
});
