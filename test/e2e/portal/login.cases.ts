import { LINK_REQUESTS } from '../../../src/links/link-request.js';
import { LinkRequests } from '../../../src/links/link-requests.job.js';
import { type Mail, MAILS } from '../../../src/mail/mail.js';
import { OutgoingMail } from '../../../src/mail/outgoing-mail.service.js';
import { Store } from '../../../src/storage/store.js';
import { PORTAL_URL } from '../../http-caller.js';
import { MAIL_ON } from '../../mail-server.js';
import { type LoggedInDeveloper, NOBODYS } from '../developer.js';
import { expectError, expectResponse, visible } from '../responses.js';
import { useApp } from '../use-app.js';
import { Customer, SETTINGS } from './customers.js';

describe('Signing in to a portal by mail', () => {
  // Only the vendor can register, so nobody can mail strangers by adding them as clients.
  const app = useApp({ ...MAIL_ON, REGISTRATION: 'first' });
  let ada: LoggedInDeveloper;
  beforeAll(async () => {
    ada = await app.register();
    await app.put('/portal', SETTINGS, ada);
  });

  const stored = () => app.nest.get(Store);
  const ask = (email: string, issuer = ada._id) =>
    app.post(`/portal/${issuer}/login`, { email }, { from: '203.0.113.1' });
  /** Lets the worker handle all requests. */
  const work = async () => {
    for (let left = 1; left > 0; left = await stored().count(LINK_REQUESTS, {})) {
      await app.nest.get(LinkRequests).step();
    }
  };
  const mailsTo = async ({ _id: about }: { _id: string }) => {
    const newestFirst = { by: 'createdAt', direction: 'desc' } as const;
    const all = await stored().list(
      MAILS,
      { accountId: ada._id as Mail['accountId'] },
      newestFirst,
      { limit: 100 },
    );
    return all.filter((mail) => mail.about === about);
  };
  const textOf = (mail: Mail) => app.nest.get(OutgoingMail).open(mail).text;

  it('202: mails a link that signs the client in', async () => {
    expect((await app.get(`/portal/${ada._id}`)).body.mailsLinks).toBe(true);
    const client = await app.createClient(ada);
    expectResponse(await ask(client.email.toUpperCase()), 202, { message: 'Check your email' });
    await work();
    const [mail] = await mailsTo(client);
    expect(mail).toMatchObject({ kind: 'portal_link', to: client.email });
    expect(mail!.subject).toContain('Studio Ada');
    const [link = ''] = /http\S+#\S+/.exec(textOf(mail!)) ?? [];
    expect(link).toMatch(new RegExp(`^${PORTAL_URL}/${ada._id}/sign-in#`));
    const customer = new Customer(app, ada._id);
    expect((await customer.open(link)).status).toBe(200);
    expect((await customer.licenses()).body.clientEmail).toBe(client.email);
  });

  it('S8: responds the same for a known and an unknown address and a portal that is off', async () => {
    const client = await app.createClient(ada);
    await work();
    const known = await ask(client.email);
    const unknown = await ask('nobody@acme.example');
    expect(visible(unknown)).toEqual(visible(known));
    await app.put('/portal', { ...SETTINGS, enabled: false }, ada);
    expect(visible(await ask(client.email))).toEqual(visible(known));
    expect(visible(await ask(client.email, NOBODYS))).toEqual(visible(known));
    await work();
    await app.put('/portal', SETTINGS, ada);
    expect((await mailsTo(client)).length).toBeLessThanOrEqual(1);
  });

  it('202: mails a client its own key, and never the key of another client', async () => {
    const [client, other] = [await app.createClient(ada), await app.createClient(ada)];
    const { license } = await app.createProject(ada, client._id);
    const [customer, stranger] = [new Customer(app, ada._id), new Customer(app, ada._id)];
    await customer.signIn(ada, client._id);
    await stranger.signIn(ada, other._id);
    const path = `licenses/${license._id}/send`;
    expectError(await stranger.send('POST', path), 'LICENSE_NOT_FOUND');
    expectResponse(await customer.send('POST', path), 202, { message: 'Mail queued' });
    const [event] = (await app.get('/events?type=license.key_sent', ada)).body.data;
    expect(event.actor).toMatchObject({ type: 'client', id: client._id });
    const [mail] = (await app.get('/mails', ada)).body.data;
    expect(mail).toMatchObject({ kind: 'license_key', to: client.email });
  });

  it('mails a client a link regardless of how many mails the vendor has sent', async () => {
    const client = await app.createClient(ada);
    const { license } = await app.createProject(ada, client._id);
    for (let i = 0; i < 5; i += 1) await app.post(`/licenses/${license._id}/send`, {}, ada);
    await ask(client.email);
    await work();
    const [latest] = await mailsTo(client);
    expect(latest).toMatchObject({ kind: 'portal_link' });
  });

  it('mails a client at most five links an hour', async () => {
    const client = await app.createClient(ada);
    for (let i = 0; i < 7; i += 1) expect((await ask(client.email)).status).toBe(202);
    await work();
    expect(await mailsTo(client)).toHaveLength(5);
    app.clock.advance({ seconds: 3600 });
    await ask(client.email);
    await work();
    expect(await mailsTo(client)).toHaveLength(6);
    Object.assign(ada, await app.logIn(ada));
    await app.delete(`/clients/${client._id}`, ada);
    expect(await mailsTo(client)).toEqual([]);
  });
});

describe('If anyone can register', () => {
  const app = useApp({ ...MAIL_ON, REGISTRATION: 'open' });

  it('409: a portal mails no links, because anyone could mail strangers', async () => {
    const ada = await app.register();
    await app.put('/portal', SETTINGS, ada);
    expect((await app.get(`/portal/${ada._id}`)).body.mailsLinks).toBe(false);
    const { email } = await app.createClient(ada);
    expectError(await app.post(`/portal/${ada._id}/login`, { email }), 'MAIL_OFF');
  });
});
