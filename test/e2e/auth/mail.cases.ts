import { runAccountCommand } from '../../../src/cli/accounts.js';
import { LINK_REQUESTS } from '../../../src/links/link-request.js';
import { LinkRequests } from '../../../src/links/link-requests.job.js';
import { MAILS } from '../../../src/mail/mail.js';
import { MailQueue } from '../../../src/mail/mail-queue.job.js';
import { Store } from '../../../src/storage/store.js';
import { TestApp } from '../../app.js';
import { START } from '../../fake-clock.js';
import { newEmail } from '../../http-caller.js';
import { MailServer, mailThrough } from '../../mail-server.js';
import { type LoggedInDeveloper, NEW_PASSWORD, PASSWORD } from '../developer.js';
import { expectError, expectInvalid } from '../responses.js';
import { useDeveloper } from '../use-app.js';
import { challengeOf, withTotp, wrongCode } from './second-factors.js';

const INVALID = 'INVALID_LINK';

describe('Mail to members', () => {
  const server = new MailServer();
  let app: TestApp;
  let ada: LoggedInDeveloper;
  beforeAll(async () => {
    app = await TestApp.start('SQLite', mailThrough(await server.start()));
  });
  afterAll(async () => {
    await app.stop();
    await server.stop();
  });
  /** An account whose owner has confirmed the address. */
  beforeEach(async () => {
    app.clock.set(START);
    ada = await app.register();
    const token = await tokenIn(ada.email, 'Confirm your email address');
    expect((await app.post('/auth/email/confirm', { token })).status).toBe(200);
    server.received.length = 0;
  });

  const the = <T>(service: new (...args: never[]) => T) => app.nest.get(service, { strict: false });
  /** Sends everything that waits, together with the application's own workers. */
  const drive = async () => {
    const store = the(Store as unknown as new () => Store);
    const isBusy = async () => {
      // Due or in progress; what is postponed waits for longer.
      const due = { nextAttemptAt: { before: new Date(app.clock.now().getTime() + 150_000) } };
      return (await store.count(LINK_REQUESTS, {})) + (await store.count(MAILS, due)) > 0;
    };
    while (await isBusy()) {
      await the(LinkRequests).step();
      await the(MailQueue).step();
      await the(MailQueue).waitForAttempts();
    }
  };
  const subjectsTo = (email: string) =>
    server.received.filter(({ to }) => to.includes(email)).map(({ parsed }) => parsed.subject);
  const tokenIn = async (email: string, subject: string) => {
    await drive();
    const mail = server.received.findLast(
      ({ to, parsed }) => to.includes(email) && parsed.subject === subject,
    );
    const [, token = ''] =
      /https:\/\/licenses\.local\/console\/[\w-]+#([\w-]{43})\s/.exec(mail?.parsed.text ?? '') ??
      [];
    return token;
  };
  const requestReset = (email: string) => app.post('/auth/password-reset', { email });
  const resetToken = () => tokenIn(ada.email, 'Reset your password');
  const confirmReset = (token: string, password = NEW_PASSWORD) =>
    app.post('/auth/password-reset/confirm', { token, password });
  const login = (password: string, email = ada.email) =>
    app.post('/auth/login', { email, password });

  it('reset a password once, end all sessions and links, and list the API keys', async () => {
    const { body } = await app.post(
      '/api-keys',
      { name: 'Checkout', scopes: ['licenses:read'] },
      ada,
    );
    await requestReset(ada.email.toUpperCase());
    const first = await resetToken();
    await requestReset(ada.email);
    const token = await resetToken();
    expect(new Set([first, token]).size).toBe(2);

    expectInvalid(await confirmReset(token, 'password1234'), 'password');
    expectInvalid(await confirmReset(token, ada.email), 'password');
    const reset = await confirmReset(token);
    expect([reset.status, reset.body.apiKeys]).toEqual([200, [body.apiKey]]);
    expect((await app.get('/auth/me', ada)).status).toBe(401);
    expectError(await confirmReset(token), INVALID);
    expectError(await confirmReset(first), INVALID);
    expectError(await login(PASSWORD), 'INVALID_CREDENTIALS');
    const again = await login(NEW_PASSWORD);
    expect(again.status).toBe(200);
    await drive();
    expect(subjectsTo(ada.email)).toContain('Your password was changed');
    const list = await app.get('/mails', { token: again.body.accessToken });
    expect(list.body.data[0]).toMatchObject({
      kind: 'password_changed',
      status: 'sent',
      attempts: 1,
    });
    expect(JSON.stringify(list.body)).not.toMatch(/#[\w-]{43}|sealed/);
  });

  it.each<[string, () => Promise<unknown>]>([
    ['after 60 minutes', async () => app.clock.advance({ seconds: 3600 })],
    [
      'once the password changes',
      () =>
        app.post('/auth/password', { currentPassword: PASSWORD, newPassword: NEW_PASSWORD }, ada),
    ],
    [
      'once the address changes',
      () => runAccountCommand(app.nest, 'change-email', ada.email, { to: newEmail() }),
    ],
    ['once the login is disabled', () => runAccountCommand(app.nest, 'disable', ada.email)],
  ])('a link to reset a password is void %s', async (_when, change) => {
    await requestReset(ada.email);
    const token = await resetToken();
    await change();
    expectError(await confirmReset(token), INVALID);
  });

  it('S8: respond the same to every password reset request, and mail at most three an hour', async () => {
    const disabled = await app.register();
    await runAccountCommand(app.nest, 'disable', disabled.email);
    await drive();
    server.received.length = 0;
    const responses = [];
    for (const email of [newEmail(), disabled.email, ...Array<string>(5).fill(ada.email)]) {
      responses.push(await requestReset(email));
    }
    const bytes = responses.map(({ status, body }) => JSON.stringify([status, body]));
    expect(new Set(bytes)).toEqual(new Set(['[202,{"message":"Check your email"}]']));
    await drive();
    expect(server.received.map(({ to }) => to)).toEqual(Array(3).fill([ada.email]));
    // Each of them still works.
    expect((await confirmReset(await resetToken())).status).toBe(200);
  });

  it('change an address with a link to it, and notify the previous one', async () => {
    const [email, eve] = [newEmail(), await app.register()];
    const request = (to: string) => app.post('/auth/email', { email: to }, ada);
    expectError(await request(eve.email), 'EMAIL_ALREADY_REGISTERED');
    expect((await request(email)).status).toBe(202);
    const token = await tokenIn(email, 'Confirm your new email address');
    expect((await app.get('/auth/me', ada)).body.email).toBe(ada.email);
    const { status, body } = await app.post('/auth/email/confirm', { token });
    expect([status, body]).toEqual([200, { message: 'Email address confirmed', email }]);
    expectError(await app.post('/auth/email/confirm', { token }), INVALID);
    expect((await login(PASSWORD, email)).status).toBe(200);
    await drive();
    expect(subjectsTo(ada.email)).toEqual(['Your email address was changed']);
    // Three in an hour, including the used one.
    expect((await request(newEmail())).status).toBe(202);
    expectError(await request(newEmail()), 'TOO_MANY_REQUESTS');
  });

  it('do not change the address of a login that was disabled in the meantime', async () => {
    const email = newEmail();
    await app.post('/auth/email', { email }, ada);
    const token = await tokenIn(email, 'Confirm your new email address');
    await runAccountCommand(app.nest, 'disable', ada.email);
    expectError(await app.post('/auth/email/confirm', { token }), INVALID);
  });

  it('invite members, unless the owner has not confirmed the address, and 20 a day', async () => {
    const email = newEmail();
    const { body } = await app.invite(ada, 'support', email);
    expect(body.mailed).toBe(true);
    const token = await tokenIn(email, 'Join \u2068Ada\u2069');
    expect(token).toBe(body.invitation);
    expect((await app.accept(token)).status).toBe(201);

    const eve = await app.register();
    const unconfirmed = await app.invite(eve);
    expect([unconfirmed.status, unconfirmed.body.mailed]).toEqual([201, false]);
    await app.post('/api-keys', { name: 'Checkout', scopes: ['licenses:read'] }, eve);
    const stranger = await app.logIn(await app.addMember(eve, 'admin'));
    await requestReset(stranger.email);
    const change = { email: newEmail() };
    expectError(await app.post('/auth/email', change, stranger), 'MAIL_OFF');
    await drive();
    expect(subjectsTo(stranger.email)).toEqual([]);
    expect(subjectsTo(eve.email)).toEqual(['Confirm your email address']);
    const mailed = [];
    for (let count = 0; count < 20; count += 1) mailed.push((await app.invite(ada)).body.mailed);
    expect(mailed).toEqual([...Array<boolean>(19).fill(true), false]);
  });

  it('mail an owner who has not confirmed the address at most 10 links a day, and resetting the password confirms it', async () => {
    const eve = await app.register();
    for (let hour = 0; hour < 4; hour += 1) {
      for (let count = 0; count < 3; count += 1) await requestReset(eve.email);
      await drive();
      app.clock.advance({ seconds: 3600 });
    }
    const links = subjectsTo(eve.email).filter((subject) => subject === 'Reset your password');
    // A step that another one overtakes counts its link, too.
    expect(links.length).toBeLessThanOrEqual(10);
    Object.assign(eve, await app.logIn(eve));
    const own = { email: eve.email };
    expectError(await app.post('/auth/email', own, eve), 'TOO_MANY_REQUESTS');
    expect((await app.invite(eve)).body.mailed).toBe(false);
    app.clock.advance({ seconds: 86_400 });
    await requestReset(eve.email);
    const token = await tokenIn(eve.email, 'Reset your password');
    expect((await confirmReset(token)).status).toBe(200);
    const { body } = await app.invite(await app.logIn(eve, NEW_PASSWORD));
    expect(body.mailed).toBe(true);
  });

  it('report a sign-in from a new address once a day, and new API keys and owners', async () => {
    const from = (address: string) =>
      app.post('/auth/login', { email: ada.email, password: PASSWORD }, { from: address });
    for (const address of ['192.0.2.1', '192.0.2.1', '192.0.2.2']) await from(address);
    app.clock.advance({ seconds: 86_400 });
    await from('192.0.2.3');
    const grace = await app.addMember(await app.logIn(ada), 'admin');
    const { token } = await app.logIn(grace);
    await app.post('/api-keys', { name: 'Checkout', scopes: ['licenses:read'] }, { token });
    await runAccountCommand(app.nest, 'transfer', ada.email, { to: grace.email });
    await drive();
    const own = ['An API key was created', 'The owner of your account changed'];
    expect(subjectsTo(ada.email).toSorted()).toEqual([
      ...own.slice(0, 1),
      ...['New sign-in to your account', 'New sign-in to your account'],
      ...own.slice(1),
    ]);
    expect(subjectsTo(grace.email)).toEqual(expect.arrayContaining(own));
  });

  it('report second factors, locked codes and a removal by the operator; a new password replaces no factor', async () => {
    const grace = await app.addMember(ada);
    const { secret } = await withTotp(app, grace);
    for (let count = 0; count < 10; count += 1) {
      const { challenge } = await challengeOf(app, grace);
      const wrong = { challenge, code: wrongCode(secret, app) };
      expectError(await app.post('/auth/login/factor', wrong), 'WRONG_FACTOR');
    }
    await requestReset(grace.email);
    const reset = await confirmReset(await tokenIn(grace.email, 'Reset your password'));
    expect(reset.status).toBe(200);
    expectError(await login(NEW_PASSWORD, grace.email), 'FACTOR_REQUIRED');
    await runAccountCommand(app.nest, 'reset-factors', grace.email);
    expect((await login(NEW_PASSWORD, grace.email)).status).toBe(200);
    await drive();
    const removed = 'Second factors were removed';
    const subjects = ['A second factor was added', 'Too many wrong codes', removed];
    expect(subjectsTo(grace.email)).toEqual(expect.arrayContaining(subjects));
    expect(subjectsTo(ada.email)).toContain(removed);
  });
});

describe('Without SMTP', () => {
  const [app, ada] = useDeveloper();

  it('409: nothing is mailed, and invitations are shown as before', async () => {
    expectError(await app.post('/auth/password-reset', { email: newEmail() }), 'MAIL_OFF');
    const change = { email: newEmail() };
    expectError(await app.post('/auth/email', change, ada), 'MAIL_OFF');
    expect((await app.invite(ada)).body).toMatchObject({
      mailed: false,
      invitation: expect.any(String),
    });
    expect((await app.get('/mails', ada)).body).toEqual({ data: [], nextCursor: null });
  });
});
