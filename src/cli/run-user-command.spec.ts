import { AccountServices, PASSWORD } from '../../test/account-services.js';
import { TOTALS } from '../shared/quotas/account-totals.js';
import { SESSIONS } from '../auth/sessions/session.js';
import { CommandError } from './command-error.js';
import { runUserCommand } from './run-user-command.js';
import type { UserCommand } from './user-program.js';

const ADA = 'ada@studio.example';
const EMAIL = ` ${ADA.toUpperCase()} `;

describe('runUserCommand', () => {
  let services: AccountServices;
  const deleteAccount = jest.fn<Promise<string>, [string, boolean]>();
  beforeEach(() => {
    services = new AccountServices();
    deleteAccount.mockReset().mockResolvedValue('Deleted.');
  });

  const run = async (command: UserCommand) => {
    const texts: string[] = [];
    const { accounts } = services;
    for await (const text of runUserCommand(command, { accounts, deleteAccount })) texts.push(text);
    return texts.join('\n');
  };
  const create = (email = EMAIL, name?: string) => run({ action: 'create', email, name });
  const isRight = async (password: string | undefined) =>
    (await services.accounts.findByCredentials(ADA, password!)).isRight;

  it('creates an account, named after its address by default, resets its password, and prints both', async () => {
    const texts = [await create(), await run({ action: 'reset-password', email: EMAIL })];
    const [first, second] = texts.map((text) => {
      expect(text).toMatch(/shown this once/);
      return /\nE-mail: {3}ada@studio.example\nPassword: ([\w-]{24})\n/.exec(text)?.[1];
    });
    expect([await isRight(first), await isRight(second)]).toEqual([false, true]);
    expect(await services.accounts.findByEmail(ADA)).toMatchObject({ name: 'ADA' });
  });

  it('prints every account as one line', async () => {
    const createdAt = new Date('2026-01-31T10:15:00.000Z');
    expect(await run({ action: 'list' })).toBe('There are no accounts.');
    const ada = await services.account({ email: ADA, name: 'Ada L', createdAt });
    const bob = { email: 'bob@studio.example', name: 'Bob', createdAt, role: 'viewer' } as const;
    await services.member(ada, bob);
    services.clock.set('2026-02-01T00:00:00.000Z');
    await run({ action: 'disable', email: 'bob@studio.example' });
    const [created, ...counts] = [
      'created 2026-01-31T10:15:00.000Z',
      ...['clients 0', 'projects 0', 'licenses 0'],
    ];
    expect((await run({ action: 'list' })).split('\n').map((line) => line.split('\t'))).toEqual([
      [ADA, 'Ada L', created, 'enabled', ...counts, 'owner', `account ${ada.account}`],
      [
        ...['bob@studio.example', 'Bob', created, 'disabled 2026-02-01T00:00:00.000Z', ...counts],
        ...['viewer', `account ${ada.account}`],
      ],
    ]);
  });

  it('disables and enables an account, which keeps its password, and reports where there was nothing to do', async () => {
    const { account: _id } = await services.account({ email: ADA });
    const disabledAt = async () => (await services.store.find(TOTALS, { _id }))?.disabledAt;
    expect(await run({ action: 'disable', email: EMAIL })).toMatch(/^Account ada@\S+ is disabled/);
    const now = services.clock.now();
    services.clock.advance({ seconds: 1 });
    expect(await run({ action: 'disable', email: EMAIL })).toMatch(/was disabled before/);
    expect(await disabledAt()).toEqual(now);
    expect(await run({ action: 'enable', email: EMAIL })).toMatch(/^Account ada@\S+ is enabled: /);
    expect(await run({ action: 'enable', email: EMAIL })).toMatch(/was enabled before/);
    expect(await disabledAt()).toBeNull();
    expect(await isRight(PASSWORD)).toBe(true);
  });

  it.each([true, false])('deletes an account, with active licenses: %s', async (withLicenses) => {
    expect(await run({ action: 'delete', email: EMAIL, withLicenses })).toBe('Deleted.');
    expect(deleteAccount).toHaveBeenCalledWith(ADA, withLicenses);
  });

  it('makes another member the owner, and changes the login of a member alone', async () => {
    const ada = await services.account({ email: ADA });
    const bob = await services.member(ada, { email: 'bob@studio.example', role: 'support' });
    await services.logIn(ada);
    await run({ action: 'disable', email: bob.email });
    await run({ action: 'reset-password', email: bob.email });
    expect(services.store.all(SESSIONS)).toHaveLength(1);
    const transfer = () => run({ action: 'transfer', email: EMAIL, to: 'BOB@studio.example' });
    await expect(transfer()).rejects.toThrow(/^bob@\S+ is no enabled member of the account/);
    await run({ action: 'enable', email: bob.email });
    expect(await transfer()).toMatch(/^bob@\S+ is the owner of the account now/);
    const roles = [await services.stored(ada), await services.stored(bob)].map(({ role }) => role);
    expect(roles).toEqual(['admin', 'owner']);
    await expect(transfer()).rejects.toThrow(/^ada@\S+ is not the owner of an account/);
  });

  it.each<[UserCommand, string]>([
    [{ action: 'create', email: 'a@', name: undefined }, 'a@ is not a valid e-mail address.'],
    [{ action: 'create', email: ADA, name: ' ' }, 'A name has 1 to 200 characters.'],
    [{ action: 'delete', email: 'a@', withLicenses: true }, 'a@ is not a valid e-mail address.'],
    [{ action: 'reset-password', email: ADA }, `There is no account ${ADA}.`],
    [{ action: 'disable', email: ADA }, `There is no account ${ADA}.`],
    [{ action: 'enable', email: ADA }, `There is no account ${ADA}.`],
    [{ action: 'transfer', email: ADA, to: 'b@' }, 'b@ is not a valid e-mail address.'],
    [{ action: 'transfer', email: ADA, to: ADA }, `There is no account ${ADA}.`],
  ])('rejects %j with one sentence', async (command, sentence) => {
    await expect(run(command)).rejects.toThrow(new CommandError(sentence));
    expect(deleteAccount).not.toHaveBeenCalled();
  });

  it('rethrows that the account exists already', async () => {
    await create();
    await expect(create()).rejects.toMatchObject({ code: 'EMAIL_ALREADY_REGISTERED' });
  });
});
