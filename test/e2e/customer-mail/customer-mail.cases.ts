import { ExpiryNotices } from '../../../src/licenses/expiry-notices.job.js';
import { reply } from '../../mail-server.js';
import { aRow, importInto } from '../imports/rows.js';
import { expectError, expectResponse, statusesOf } from '../responses.js';
import { sendDue, useMail } from './use-mail.js';

const TERMS = { duration: 12, services: ['Hosting'] };

describe('Mail to clients', () => {
  const [app, ada, server] = useMail({ MAIL_LIMIT: '25' });

  const turnOn = (kind: string, fields: object = {}) =>
    app.put(`/mail-templates/${kind}`, { enabled: true, ...fields }, ada);
  const send = ({ _id }: { _id: string }, by = ada) =>
    app.post(`/licenses/${_id}/send`, undefined, by);
  const mails = async (by = ada) => (await app.get('/mails?limit=100', by)).body.data;
  /** Mail to clients, without the mail to members. */
  const received = () => server.received.filter(({ to }) => to[0]!.endsWith('@acme.example'));
  const sent = async () => {
    await sendDue(app);
    return received().map(({ to, parsed: { subject } }) => [to[0], plain(subject)]);
  };
  const createOrder = async (terms: object = {}) => {
    const client = await app.createClient(ada);
    return { client, ...(await app.createProject(ada, client._id, { ...TERMS, ...terms })) };
  };

  it('delivers the key of each single license, with or without a plan, but not of batches, imports, replacements or returned licenses', async () => {
    const { plan } = (
      await app.post('/plans', { name: 'Trial', days: 14, ...SERVICES, oncePerMachine: true }, ada)
    ).body;
    await createOrder();
    expect(await sent()).toEqual([]);
    await turnOn('license_issued', { replyTo: 'help@acme.example' });

    const { client, project, license } = await createOrder();
    const path = `/projects/${project._id}/licenses`;
    const order = { plan: plan._id, externalId: 'order-1', ifExists: 'return' };
    const headers = { 'idempotency-key': 'order-1' };
    const trial = (await app.post(path, order, { ...ada, headers })).body.license;
    await app.post(path, order, { ...ada, headers });
    expect((await app.post(path, order, ada)).status).toBe(200);
    await app.post(`${path}/batch`, { ...TERMS, count: 1 }, ada);
    await importInto(app, ada, [aRow()]);
    await app.post(`/licenses/${license._id}/reissue`, {}, ada);
    const revoked = await app.addLicense(ada, project._id);
    await app.post(`/licenses/${revoked._id}/revoke`, {}, ada);

    const subject = 'Your license for Web shop';
    const both = [client.email, subject];
    // The replaced license was revoked before its mail was sent.
    expect(await sent()).toEqual([both]);
    const { parsed } = received()[0]!;
    expect(plain(parsed.text)).toContain(`${trial.key}\n\nTerm: 14-day trial from first use`);
    expect(parsed.html).toContain(`<code>${trial.key}</code>`);
    expect(parsed.replyTo?.text).toBe('help@acme.example');
    expect(await mails()).toMatchObject([
      ...[{ status: 'failed', error: 'not_needed' }, { status: 'sent' }],
      { status: 'failed', error: 'not_needed' },
    ]);
    for (const event of await app.eventsOf(ada, trial))
      expect(event.data).not.toHaveProperty('batch');
  });
  const SERVICES = { services: ['Hosting'] };

  it('warns 30, 7 and 1 days before a license expires, once after an outage, and not if it was renewed or suspended in the meantime', async () => {
    await turnOn('license_expiring');
    const order = () => createOrder({ duration: null, expiresAt: '2026-06-30T12:00:00.000Z' });
    const [{ client, license }, renewed, suspended] = [await order(), await order(), await order()];
    const notice = async (time: string) => {
      await app.moveTo(ada, time);
      await app.nest.get(ExpiryNotices, { strict: false }).step();
    };
    await notice('2026-05-31T12:00:00.000Z');
    const until = { expiresAt: '2027-06-30T12:00:00.000Z' };
    await app.patch(`/licenses/${renewed.license._id}`, until, ada);
    await app.post(`/licenses/${suspended.license._id}/suspend`, {}, ada);
    const warning = [client.email, 'Your license for Web shop expires soon'];
    expect(await sent()).toEqual([warning]);
    expect(plain(received()[0]!.parsed.text)).toContain('Term: until 30 June 2026');
    expect(received()[0]!.raw).not.toContain(license.key.slice(-14));
    // The service was down for the notice of seven days.
    for (let times = 0; times < 3; times += 1) await notice('2026-06-29T13:00:00.000Z');
    expect(await sent()).toEqual([warning, warning]);
    await notice('2026-07-01T13:00:00.000Z');
    expect(await sent()).toHaveLength(2);
  });

  it('sends a key again on request, up to 20 times an hour per address; beyond the limit of the account, it is delayed', async () => {
    const { client, license } = await createOrder();
    const support = await app.addMember(ada, 'support');
    expectResponse(await send(license, support), 202, { message: 'Mail queued' });
    expect(await sent()).toEqual([[client.email, 'Your license for Web shop']]);
    expect(received()[0]!.parsed.text).toContain(license.key);
    expect((await app.eventsOf(ada, license))[0]).toMatchObject({
      type: 'license.key_sent',
      data: {},
    });
    const once = { ...ada, headers: { 'idempotency-key': 'send' } };
    for (const _repeated of [1, 2]) await send(license, once);
    const sendings = [];
    for (let count = 2; count <= 20; count += 1) sendings.push(await send(license));
    expect(statusesOf(sendings)).toEqual([...Array<number>(18).fill(202), 429]);
    expect(sendings.at(-1)!.headers.get('retry-after')).toBe('3600');

    for (let count = 0; count < 6; count += 1) await send((await createOrder()).license);
    await sendDue(app);
    const pending = (await mails()).filter(({ status }: Mail) => status === 'pending');
    expect([received().length, pending.length]).toEqual([25, 1]);
    app.clock.advance({ seconds: 3600 });
    await sendDue(app);
    expect(received()).toHaveLength(26);
  });

  it('rejects a request for a key that is revoked, belongs to another account, or is for a client that cannot receive mail', async () => {
    await turnOn('license_issued');
    const { license, client } = await createOrder();
    expectError(await send(license, await app.register()), 'LICENSE_NOT_FOUND');
    await app.patch(`/clients/${client._id}`, { email: `${client._id}@acme.invalid` }, ada);
    expectError(await send(license), 'ADDRESS_NOT_MAILABLE');
    await app.post(`/licenses/${license._id}/revoke`, {}, ada);
    expectError(await send(license), 'LICENSE_ALREADY_REVOKED');
    await sendDue(app);
    expect(server.received.map(({ to }) => to[0])).not.toContain(`${client._id}@acme.invalid`);
  });

  it('goes only to the current address; the previous one is notified, and the change requires the scope for keys', async () => {
    const { client, license } = await createOrder();
    const key = await app.addApiKey(ada, ['clients:write']);
    const move = (email: string, by: { token: string }) =>
      app.patch(`/clients/${client._id}`, { email }, by);
    const first = client.email;
    const scope = 'licenses:write';
    expectError(await move('eve@a.example', key), 'INSUFFICIENT_SCOPE', { scope });
    expect((await app.patch(`/clients/${client._id}`, { name: 'Globex' }, key)).status).toBe(200);
    await send(license);
    const second = `second-${client.email}`;
    expect((await move(second, ada)).status).toBe(200);
    expect(await sent()).toEqual([[first, 'Your email address was changed']]);
    expect(plain(received()[0]!.parsed.text)).toContain('Hello Globex,');
    expect(received()[0]!.raw).not.toContain(second);
    // The key that was not sent goes to the new address.
    const [{ _id }] = (await mails()).filter(({ kind }: Mail) => kind === 'license_key');
    expect((await app.post(`/mails/${_id}/retry`, undefined, ada)).status).toBe(202);
    expect((await sent())[1]).toEqual([second, 'Your license for Web shop']);
  });

  it('that the server rejected can be sent again, with the current template and license', async () => {
    await turnOn('license_issued');
    server.onMail = () => {
      throw reply(550, '5.1.1 No such user');
    };
    await createOrder();
    expect(await sent()).toEqual([]);
    const [failed] = await mails();
    expect(failed).toMatchObject({ status: 'failed', error: 'rejected 550 5.1.1' });
    server.onMail = () => undefined;
    await turnOn('license_issued', { subject: 'The key of {{client.name}}' });
    const eve = await app.register();
    const retry = `/mails/${failed._id}/retry`;
    expectError(await app.post(retry, undefined, eve), 'MAIL_NOT_FOUND');
    expect((await mails(eve)).map(({ to }: Mail) => to)).not.toContain(failed.to);
    await app.post(retry, undefined, ada);
    expect(await sent()).toEqual([[failed.to, 'The key of Acme Ltd']]);
    expectError(await app.post(retry, undefined, ada), 'MAIL_NOT_REPEATABLE');
  });

  it('can be tried out by its author, with sample values', async () => {
    const test = () => app.post('/mail-templates/license_issued/test', undefined, ada);
    expectResponse(await test(), 202, { message: 'Mail queued' });
    await sendDue(app);
    const [mail] = server.received.filter(({ to }) => to[0] === ada.email);
    expect(plain(mail!.parsed.subject)).toBe('Your license for Sample Project');
    expect(mail!.parsed.text).toContain('-XXXX-XXXX-XXXX');
    for (let count = 1; count < 20; count += 1) await test();
    expectError(await test(), 'TOO_MANY_REQUESTS');
  });

  it('S28: is listed in the personal data of a client, and erased with them', async () => {
    await turnOn('license_issued');
    const { client, license } = await createOrder();
    const other = await createOrder();
    await sendDue(app);
    await send(license);
    const path = `/clients/${client._id}`;
    const about = (await app.get(`${path}/personal-data`, ada)).body.mails;
    expect(about).toMatchObject([{ status: 'pending' }, { status: 'sent', to: client.email }]);
    await app.post(`${path}/erase`, undefined, ada);
    expect((await app.get(`${path}/personal-data`, ada)).body.mails).toEqual([]);
    expect((await mails()).map(({ to }: Mail) => to)).toEqual([other.client.email]);
    await sendDue(app);
    expect(received()).toHaveLength(2);
    expectError(await send(license), 'ADDRESS_NOT_MAILABLE');
  });
});

interface Mail {
  readonly status: string;
  readonly kind: string;
  readonly to: string;
}

/** A text without the marks that isolate values. */
const plain = (text = '') => text.replaceAll(/[\u2060\u2068\u2069]/g, '');
