import { MailServer, mailThrough, reply } from '../../test/mail-server.js';
import { testMail } from './mail.js';

describe('The command that sends a test mail', () => {
  const server = new MailServer();
  let env: NodeJS.ProcessEnv;
  beforeAll(async () => {
    env = mailThrough(await server.start());
  });
  afterAll(() => server.stop());

  it("prints the server's reply, even if the server rejects the mail", async () => {
    expect(await testMail('ada@studio.example', env)).toMatch(/accepted the test mail: 250/);
    const [{ to, parsed }] = server.received as [(typeof server.received)[number]];
    expect([to, parsed.subject]).toEqual([['ada@studio.example'], 'Test mail']);
    server.onMail = () => Promise.reject(reply(554, 'No thanks'));
    await expect(testMail('ada@studio.example', env)).rejects.toThrow(
      /did not accept the test mail: 554 No thanks/,
    );
  });

  it('says that SMTP_URL starts with TLS and the port does not', async () => {
    const SMTP_URL = env.SMTP_URL!.replace(/^smtp:/, 'smtps:');
    await expect(testMail('ada@studio.example', { ...env, SMTP_URL })).rejects.toThrow(
      'The port does not start with TLS. Use smtp:// in SMTP_URL.',
    );
  });

  it('fails without a server, or for an address that cannot receive mail', async () => {
    await expect(testMail('ada@studio.example', {})).rejects.toThrow('Mail is off.');
    await expect(testMail('"a b"@studio.example', env)).rejects.toThrow('can be mailed');
  });
});
