import { mailableAddress } from '../mail/address.js';
import { render } from '../mail/render.js';
import { sendMail } from '../mail/smtp.js';
import { Config } from '../shared/config/config.js';
import { readEnvironment } from '../shared/config/environment.js';
import { newObjectId } from '../shared/ids.js';
import { CommandError } from './command-error.js';

/** Deadline of the test, in milliseconds. */
const DEADLINE = 60_000;

/** What a failed connection means for SMTP_URL, if the failure itself does not say so. */
const HINTS: readonly (readonly [RegExp, string])[] = [
  [/wrong version number/, 'The port does not start with TLS. Use smtp:// in SMTP_URL.'],
  [
    /Greeting never received/,
    'The server sent no greeting. If the port expects TLS from the start, use smtps:// in SMTP_URL.',
  ],
];

/**
 * Sends a test mail using the settings in the environment. Needs no store, so it also runs before the first
 * start.
 *
 * @returns the server's reply
 * @throws CommandError with the server's reply or the failure; StartupError if a variable is invalid
 */
export async function testMail(address: string, env = process.env): Promise<string> {
  const config = new Config(readEnvironment(env), {
    dataDir: '',
    jwtSecret: '',
    licenseSecret: '',
  });
  const { smtpUrl, address: own } = config;
  if (!smtpUrl) throw new CommandError('Mail is off. Set SMTP_URL, PUBLIC_URL and MAIL_FROM.');
  const to = mailableAddress(address);
  if (to === undefined) throw new CommandError(`${address} is not an address that can be mailed.`);
  const text = 'This is a test. The license service at {{service}} can send mail.';
  const service = { as: 'link', text: own } as const;
  const content = { ...render('Test mail', text, { service }), replyTo: null };
  const message = { ...content, _id: newObjectId(), to, createdAt: new Date() };
  const { kind, reply } = await sendMail(config, message, AbortSignal.timeout(DEADLINE));
  const server = `${smtpUrl.host}:${smtpUrl.port}`;
  if (kind === 'sent') return `${server} accepted the test mail: ${reply}`;
  const hint = HINTS.find(([failure]) => failure.test(reply))?.[1];
  throw new CommandError(`${server} did not accept the test mail: ${hint ?? reply}`);
}
