import net from 'node:net';
import { simpleParser } from 'mailparser';
import { MailServer, reply } from '../../test/mail-server.js';
import { readEnvironment } from '../shared/config/environment.js';
import { Config } from '../shared/config/config.js';
import { mailableAddress } from './address.js';
import { render } from './render.js';
import { connectionOptions, type Message, messageBytes, sendMail } from './smtp.js';

const MESSAGE: Message = {
  ...render('Reset your password', 'Open {{link}} now.', {
    link: { as: 'link', text: `https://a.local/console/reset-password#${'x'.repeat(43)}` },
  }),
  replyTo: null,
  _id: '665f1c2ab7e4a90012345678',
  to: 'ada@studio.example',
  createdAt: new Date('2026-01-31T10:15:00Z'),
};

const configOf = (url: string, env: NodeJS.ProcessEnv = {}) =>
  new Config(
    readEnvironment({
      ...{ PUBLIC_URL: 'https://licenses.local:8443', MAIL_FROM: 'Acme, Inc. <l@acme.example>' },
      ...{ SMTP_URL: url, ...env },
    }),
    { dataDir: '', jwtSecret: '', licenseSecret: '' },
  );

describe('Sending a mail', () => {
  let stop: () => unknown;
  afterEach(async () => {
    await stop();
    jest.restoreAllMocks();
  });

  const start = async (...options: ConstructorParameters<typeof MailServer>) => {
    const server = new MailServer(...options);
    const port = await server.start();
    stop = () => server.stop();
    return { server, port };
  };
  const send = (url: string, message: Partial<Message> = {}, signal = AbortSignal.timeout(5_000)) =>
    sendMail(configOf(url), { ...MESSAGE, ...message }, signal);

  it('sends text and HTML to one recipient, with the same Message-ID each time', async () => {
    const { server, port } = await start();
    for (let time = 0; time < 2; time += 1) {
      expect(await send(`smtp://127.0.0.1:${port}`)).toMatchObject({ kind: 'sent' });
    }
    const [{ from, to, raw, parsed }] = server.received as [(typeof server.received)[number]];
    expect([from, to]).toEqual(['l@acme.example', ['ada@studio.example']]);
    expect(parsed.from!.value).toEqual([{ name: 'Acme, Inc.', address: 'l@acme.example' }]);
    expect(parsed.headers.get('auto-submitted')).toBe('auto-generated');
    expect(parsed.text).toContain('#xxx');
    expect(parsed.html).toContain('<a href="https://a.local/console/reset-password#xxx');
    expect(raw.split('\r\n').filter((line) => line.length > 76)).toEqual([]);
    const ids = server.received.map(({ parsed: { messageId } }) => messageId);
    expect(ids).toEqual(Array(2).fill('<665f1c2ab7e4a90012345678@licenses.local>'));
  });

  it('encrypts connections to other machines, and checks the certificate before it sends credentials', async () => {
    // The server's certificate is public.
    jest.spyOn(console, 'error').mockReturnValue();
    const logins: string[] = [];
    const { port } = await start({
      disabledCommands: [],
      authOptional: false,
      onAuth: ({ username, password }, _session, done) => {
        logins.push(`${username} ${password}`);
        return password === 'p/:%' ? done(null, { user: 1 }) : done(reply(535, 'No'));
      },
    });
    const sendOver = (url: string, tls: object = {}) => {
      const config = configOf(url);
      const options = connectionOptions(config.smtpUrl!, config);
      const local = { ...options, host: '127.0.0.1', port, tls: { ...options.tls, ...tls } };
      return sendMail(config, MESSAGE, AbortSignal.timeout(5_000), local);
    };
    const url = 'smtp://a%40b:p%2F%3A%25@mx.local';
    expect(await sendOver(url)).toMatchObject({ kind: 'unavailable' });
    expect(logins).toEqual([]);
    const trusting = { rejectUnauthorized: false };
    expect(await sendOver(url, trusting)).toMatchObject({ kind: 'sent' });
    expect(logins).toEqual(['a@b p/:%']);
    const refused = await sendOver('smtp://a:hunter2@mx.local', trusting);
    expect(refused).toMatchObject({ kind: 'unavailable', error: 'rejected 535' });
    expect(JSON.stringify(refused)).not.toContain('hunter2');
  });

  it('sends nothing to another machine without TLS', async () => {
    const { port, server } = await start();
    const config = configOf('smtp://mx.local');
    const options = { ...connectionOptions(config.smtpUrl!, config), host: '127.0.0.1', port };
    const outcome = await sendMail(config, MESSAGE, AbortSignal.timeout(5_000), options);
    expect(outcome).toMatchObject({ kind: 'unavailable' });
    expect(server.received).toEqual([]);
  });

  it.each<[string, ConstructorParameters<typeof MailServer>[0], object]>([
    [
      'a connection that is refused',
      { onConnect: (_session, done) => done(reply(421, 'Busy')) },
      { kind: 'unavailable', error: 'rejected 421' },
    ],
    [
      'a sender that is refused for good',
      { onMailFrom: (_address, _session, done) => done(reply(550, '5.7.1 Not you')) },
      { kind: 'unavailable', error: 'rejected 550 5.7.1' },
    ],
    [
      'a recipient that is refused for now',
      { onRcptTo: (_address, _session, done) => done(reply(450, '4.2.1 Later')) },
      { kind: 'deferred', error: 'rejected 450 4.2.1' },
    ],
    [
      'a recipient that is refused for good',
      { onRcptTo: (_address, _session, done) => done(reply(550, '5.1.1 Unknown')) },
      { kind: 'rejected', error: 'rejected 550 5.1.1' },
    ],
  ])('distinguishes %s from other failures', async (_case, options, outcome) => {
    const { port } = await start(options);
    expect(await send(`smtp://127.0.0.1:${port}`)).toMatchObject(outcome);
  });

  it.each([
    [451, 'deferred'],
    [554, 'rejected'],
  ])('treats a %i after the body as %s', async (code, kind) => {
    const { server, port } = await start();
    server.onMail = () => Promise.reject(reply(code, 'No'));
    const outcome = await send(`smtp://127.0.0.1:${port}`);
    expect(outcome).toMatchObject({ kind, error: `rejected ${code}` });
  });

  it('sends a non-ASCII local part only if the server supports it', async () => {
    const { server, port } = await start({ hideSMTPUTF8: false });
    const to = 'jürgen@studio.example';
    expect(await send(`smtp://127.0.0.1:${port}`, { to })).toMatchObject({ kind: 'sent' });
    expect(server.received[0]!.to).toEqual([to]);
    await server.stop();
    const without = await start({ hideSMTPUTF8: true });
    expect(await send(`smtp://127.0.0.1:${without.port}`, { to })).toMatchObject({
      ...{ kind: 'rejected', error: 'smtputf8_unsupported' },
    });
  });

  /** A server that sends these lines, each after a line or body from the client, and then does this. */
  const script = async (lines: readonly string[], end: (socket: net.Socket) => void) => {
    const server = net.createServer((socket) => {
      const left = [...lines];
      socket.on('error', () => undefined);
      const next = () => {
        const line = left.shift();
        if (line === undefined) end(socket);
        else socket.write(`${line}\r\n`);
      };
      socket.on('data', next);
      next();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    stop = () => server.close();
    return `smtp://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
  };
  const UP_TO_DATA = ['220 a', '250 a', '250 ok', '250 ok', '354 go'];
  const hang = () => undefined;
  const close = (socket: net.Socket) => socket.destroy();

  it.each<[string, readonly string[], (socket: net.Socket) => void, object]>([
    ['hangs before its greeting', [], hang, { kind: 'unavailable', error: 'timeout' }],
    ['closes before its greeting', [], close, { kind: 'unavailable', error: 'connection_failed' }],
    ['closes after the envelope', UP_TO_DATA.slice(0, 3), close, { kind: 'unavailable' }],
    ['hangs after the body', UP_TO_DATA, hang, { kind: 'deferred', error: 'timeout' }],
    ['closes during the body', UP_TO_DATA, close, { kind: 'deferred', error: 'connection_failed' }],
    ['talks nonsense', ['220 a', 'nonsense', '\u0000'], close, { kind: 'unavailable' }],
  ])('ends with an outcome if the server %s', async (_case, lines, end, outcome) => {
    const url = await script(lines, end);
    expect(await send(url, {}, AbortSignal.timeout(300))).toMatchObject(outcome);
  });
});

describe('A text that would add a recipient, a header or a part to a mail', () => {
  const ATTACKS = [
    ...['a\r\nBcc: b@evil.example', 'a\nBcc: b@evil.example', 'a\rBcc: b@evil.example'],
    ...['a\r\n\r\nbody', 'a%0d%0aBcc: b@evil.example', 'a\u2028Bcc: b@evil.example'],
    ...[
      'a\u0085Bcc: b@evil.example',
      '=?utf-8?q?a=0d=0aBcc:_b@evil.example?=',
      '"a" <b@evil.example>',
    ],
    ...[
      'a, b@evil.example',
      'a; b@evil.example',
      'a\u0000b',
      '\r\n.\r\nMAIL FROM:<b@evil.example>',
    ],
    ...['Content-Type: text/html\r\n\r\n<b>', '{{service}}'],
  ];
  const PLACES: Readonly<Record<string, (attack: string) => Partial<Message>>> = {
    'the subject': (attack) => render('Join {{name}}', 'Text', { name: attack }),
    'the text': (attack) => render('Join', 'Text {{name}}', { name: attack }),
    'the recipient': (attack) => ({ to: `${attack}@studio.example` }),
    'the address for replies': (attack) => ({ replyTo: `${attack}@studio.example` }),
  };

  it.each(Object.entries(PLACES))('cannot do so in %s', async (place, fieldsOf) => {
    expect(ATTACKS.length * Object.keys(PLACES).length).toBe(60);
    for (const attack of ATTACKS) {
      const fields = fieldsOf(attack);
      // No mail is sent to an address that is not plain.
      const to = fields.to ?? fields.replyTo ?? MESSAGE.to;
      const address = mailableAddress(to);
      if (address === undefined) continue;
      const message = { ...MESSAGE, ...fields };
      const bytes = await messageBytes(configOf('smtp://mx.local'), message);
      const parsed = await simpleParser(bytes);
      const expected = ['auto-submitted', 'content-type', 'date', 'from', 'message-id'];
      const headers = [...expected, 'mime-version', 'subject', 'to'];
      if (fields.replyTo !== undefined) headers.push('reply-to');
      expect([place, attack, [...parsed.headers.keys()].toSorted()]).toEqual([
        ...[place, attack, headers.toSorted()],
      ]);
      const recipients = [parsed.to].flat().flatMap((one) => one?.value ?? []);
      expect(recipients).toHaveLength(1);
      expect(parsed.attachments).toEqual([]);
      expect(parsed.html).not.toContain('<b>');
    }
  });
});
