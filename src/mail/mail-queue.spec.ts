import { useServices } from '../../test/services.js';
import type { User } from '../auth/accounts/user.js';
import { CustomerLetters } from '../customer-mail/customer-letters.service.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { insert, replace } from '../storage/changes.js';
import { type Mail, MAILS, newMail } from './mail.js';
import { MailQueue } from './mail-queue.job.js';
import { OutgoingMail } from './outgoing-mail.service.js';
import type { Message, Outcome } from './smtp.js';

const sendMail = jest.fn<Promise<Outcome>, [unknown, Message]>();
jest.mock('./smtp.js', () => ({ sendMail: (...args: [unknown, Message]) => sendMail(...args) }));

const MAIL = {
  SMTP_URL: 'smtp://mx.local',
  PUBLIC_URL: 'https://a.local',
  MAIL_FROM: 'a@a.example',
  MAIL_LIMIT: '3',
};
const SENT: Outcome = { kind: 'sent', reply: '250 OK' };
const fails = (kind: 'rejected' | 'deferred' | 'unavailable'): Outcome => ({
  ...{ kind, error: `rejected ${kind}`, reply: 'No' },
});

describe('The mail queue', () => {
  const services = useServices(undefined, MAIL);
  const { store, clock, the, put, stored, addAccount } = services;
  const other = useServices(services, MAIL);
  let user: User;
  beforeEach(async () => {
    user = await addAccount();
    sendMail.mockReset().mockResolvedValue(SENT);
  });

  const add = async (fields: Partial<Mail> = {}, to = user.email) => {
    const values = { time: 'now' };
    const change = the(OutgoingMail).toMember({
      ...{ accountId: user.account, kind: 'password_changed', to, values },
    });
    await put({ ...change, record: { ...change.record, ...fields } });
    return change.record as Mail;
  };
  const addToCustomer = async (to: string, accountId = user.account) => {
    const kind = 'password_changed';
    const fields = { accountId, kind, to, subject: '' } as const;
    const mail = { ...newMail(fields, true, clock.now()), isToMember: false };
    await put(insert(MAILS, mail));
    return mail;
  };
  const queueOf = (instance = services) => instance.the(MailQueue);
  /** Sends all due mail. */
  const run = async (queue = queueOf()) => {
    for (let calls = -1; calls !== sendMail.mock.calls.length;) {
      calls = sendMail.mock.calls.length;
      while (await queue.step());
      await queue.waitForAttempts();
    }
  };
  const sentTo = () => sendMail.mock.calls.map(([, { to }]) => to);
  const minutes = (count: number) => clock.advance({ seconds: 60 * count });

  it('sends each mail once from several instances, and erases its content', async () => {
    const mails = await Promise.all(
      Array.from({ length: 6 }, (_, index) => add({}, `${index}@a.example`)),
    );
    await Promise.all([run(), run(queueOf(other))]);
    expect(sentTo().toSorted()).toEqual(mails.map(({ to }) => to));
    expect(sendMail.mock.calls[0]![1].text).toContain('was changed on');
    for (const mail of mails) {
      expect(await stored(MAILS, mail)).toMatchObject({
        ...{ status: 'sent', attempts: 1, sealed: null, nextAttemptAt: null, sentAt: clock.now() },
      });
    }
  });

  it('repeats a deferred mail after 1, 5 and 30 minutes, 2 and 8 hours, then gives up', async () => {
    const mail = await add();
    sendMail.mockResolvedValue(fails('deferred'));
    await run();
    for (const [index, pause] of [1, 5, 30, 120, 480].entries()) {
      minutes(pause - 1);
      await run();
      expect(sendMail).toHaveBeenCalledTimes(index + 1);
      expect(await stored(MAILS, mail)).toMatchObject({ status: 'pending', attempts: index + 1 });
      minutes(1);
      await run();
    }
    const failed = { status: 'failed', attempts: 6, sealed: null, error: 'rejected deferred' };
    expect(await stored(MAILS, mail)).toMatchObject(failed);
  });

  it('gives up on a mail that the server rejects, and on one whose link has expired', async () => {
    sendMail.mockResolvedValue(fails('rejected'));
    const [rejected, late] = [await add(), await add({ giveUpAt: clock.now() }, 'b@a.example')];
    await run();
    expect(await stored(MAILS, rejected)).toMatchObject({ status: 'failed', attempts: 1 });
    const expired = { status: 'failed', attempts: 0, error: 'link_expired', sealed: null };
    expect(await stored(MAILS, late)).toMatchObject(expired);
    expect(sendMail).toHaveBeenCalledTimes(1);
  });

  it('pauses for 1 minute, doubling up to 10, while the server accepts no mail, and counts no attempt', async () => {
    const mails = [await add(), await add({}, 'b@a.example')];
    sendMail.mockResolvedValue(fails('unavailable'));
    await run();
    let calls = sendMail.mock.calls.length;
    for (const pause of [1, 2, 4, 8, 10, 10]) {
      clock.advance({ seconds: 60 * pause - 1 });
      await run();
      expect(sendMail).toHaveBeenCalledTimes(calls);
      clock.advance({ seconds: 1 });
      await run();
      expect(sendMail.mock.calls.length).toBeGreaterThan(calls);
      calls = sendMail.mock.calls.length;
      expect(await stored(MAILS, mails[0]!)).toMatchObject({ status: 'pending', attempts: 0 });
    }
    sendMail.mockResolvedValue(SENT);
    minutes(10);
    await run();
    for (const mail of mails) expect(await stored(MAILS, mail)).toMatchObject({ status: 'sent' });
  });

  it('leaves a mail to the next instance once the lease of a dead instance has expired', async () => {
    const mail = await add();
    sendMail.mockReturnValueOnce(new Promise(() => undefined));
    await queueOf(other).step();
    await run();
    clock.advance({ seconds: 119 });
    await run();
    expect(sendMail).toHaveBeenCalledTimes(1);
    clock.advance({ seconds: 1 });
    await run();
    expect(await stored(MAILS, mail)).toMatchObject({ status: 'sent', attempts: 1 });
    expect(new Set(sendMail.mock.calls.map(([, { _id }]) => _id))).toEqual(new Set([mail._id]));
  });

  it('sends 20 mails an hour to one address, and delays the others in one commit', async () => {
    for (let count = 0; count < 30; count += 1) await add({}, 'victim@a.example');
    const commit = jest.spyOn(store, 'commit');
    await run();
    expect(sendMail).toHaveBeenCalledTimes(20);
    // A lease and an outcome for each mail that was sent.
    expect(commit).toHaveBeenCalledTimes(2 * 20 + 1);
    minutes(60);
    await run();
    expect(sendMail).toHaveBeenCalledTimes(30);
  });

  it('does not let invitations or links use up the limit of security mail to an address', async () => {
    const others = ['invitation', 'email_change', 'portal_link'] as const;
    for (let count = 0; count < 21; count += 1) {
      await add({ kind: others[count % 3]! }, 'victim@a.example');
    }
    await run();
    expect(sendMail).toHaveBeenCalledTimes(20);
    await add({ kind: 'password_reset' }, 'victim@a.example');
    await run();
    expect(sendMail).toHaveBeenCalledTimes(21);
  });

  it('delays mail to customers beyond MAIL_LIMIT of an account, and sends mail to members first', async () => {
    const content = { subject: 'Key', text: '', html: '', replyTo: null };
    jest.spyOn(the(CustomerLetters), 'render').mockResolvedValue(content);
    for (let count = 0; count < 5; count += 1) await addToCustomer(`${count}@b.example`);
    const [member, rival] = [await add(), await addAccount()];
    await addToCustomer('rival@b.example', rival.account);
    await run();
    expect(sentTo()).toHaveLength(5);
    expect(sentTo().slice(0, 2)).toContain(member.to);
    expect(sentTo()).toContain('rival@b.example');
    minutes(60);
    await run();
    expect(sentTo()).toHaveLength(7);
  });

  it('holds back the mail of a disabled account, and drops the mail of a deleted one', async () => {
    const mail = await add();
    const [totals] = store.all(TOTALS);
    await put(replace(TOTALS, totals!, { ...totals!, disabledAt: clock.now() }));
    await run();
    expect(await stored(MAILS, mail)).toMatchObject({ status: 'pending', attempts: 0 });
    const [disabled] = store.all(TOTALS);
    await put({ kind: 'remove', collection: TOTALS, before: disabled! });
    minutes(10);
    await run();
    expect(store.all(MAILS)).toEqual([]);
    expect(sendMail).not.toHaveBeenCalled();
  });
});
