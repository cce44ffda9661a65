import type { AccountsService } from '../auth/accounts/accounts.service.js';
import type { AccountOverview } from '../auth/accounts/user.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { CommandError } from './command-error.js';
import { runUserCommand } from './run-user-command.js';
import type { UserCommand } from './user-command.js';

const ADA = 'ada@studio.example';

const create = jest.fn<Promise<unknown>, [{ password: string }]>();
const resetPassword = jest.fn<Promise<'reset' | 'not_found'>, [string, string]>();
const disable = jest.fn<ReturnType<AccountsService['disable']>, [string]>();
const enable = jest.fn<ReturnType<AccountsService['enable']>, [string]>();
const deleteAccount = jest.fn<Promise<string>, [string, boolean]>();
const listed: AccountOverview[] = [];

const accounts = {
  ...{ create, resetPassword, disable, enable },
  async *list() {
    yield* listed;
  },
} as unknown as AccountsService;

const run = async (command: UserCommand) => {
  const texts: string[] = [];
  for await (const text of runUserCommand(command, { accounts, deleteAccount })) texts.push(text);
  return texts.join('\n');
};

describe('runUserCommand', () => {
  beforeEach(() => {
    create.mockReset().mockResolvedValue({});
    resetPassword.mockReset().mockResolvedValue('reset');
    disable.mockReset().mockResolvedValue('disabled');
    enable.mockReset().mockResolvedValue('enabled');
    deleteAccount.mockReset().mockResolvedValue('Deleted.');
    listed.length = 0;
  });

  it('creates an account, named after its address by default, and prints its password', async () => {
    const text = await run({ action: 'create', email: ' Ada@Studio.Example ', name: undefined });
    await run({ action: 'create', email: 'b@studio.example', name: ' Bob ' });

    const [account, other] = create.mock.calls.map(([created]) => created);
    expect(account).toMatchObject({ name: 'Ada', email: ADA });
    expect(other).toMatchObject({ name: 'Bob', email: 'b@studio.example' });
    expect(account?.password).toMatch(/^[\w-]{24}$/);
    expect(other?.password).not.toBe(account?.password);
    expect(text).toContain(`\nE-mail:   ${ADA}\nPassword: ${account?.password}\n`);
    expect(text).toMatch(/shown this once/);
  });

  it('resets a password, and prints the new one', async () => {
    const text = await run({ action: 'reset-password', email: 'ADA@studio.example' });

    const [email, password] = resetPassword.mock.calls[0] ?? [];
    expect(email).toBe(ADA);
    expect(text).toContain(`Password: ${password}\n`);
  });

  it('prints every account as one line', async () => {
    const counts = { clientsCount: 1, projectsCount: 2, licensesCount: 3 };
    const createdAt = new Date('2026-01-31T10:15:00.000Z');
    const disabledAt = new Date('2026-02-01T00:00:00.000Z');
    listed.push(
      { email: ADA, name: 'Ada L', createdAt, disabledAt: null, ...counts },
      { email: 'bob@studio.example', name: 'Bob', createdAt, disabledAt, ...counts },
    );

    expect((await run({ action: 'list' })).split('\n').map((line) => line.split('\t'))).toEqual([
      [
        ...[ADA, 'Ada L', 'created 2026-01-31T10:15:00.000Z', 'enabled'],
        ...['clients 1', 'projects 2', 'licenses 3'],
      ],
      [
        ...['bob@studio.example', 'Bob', 'created 2026-01-31T10:15:00.000Z'],
        ...['disabled 2026-02-01T00:00:00.000Z', 'clients 1', 'projects 2', 'licenses 3'],
      ],
    ]);
  });

  it('prints that there are no accounts', async () => {
    expect(await run({ action: 'list' })).toBe('There are no accounts.');
  });

  it('disables and enables an account, and reports where there was nothing to do', async () => {
    const email = ' ADA@studio.example';
    expect(await run({ action: 'disable', email })).toMatch(/^Account ada@\S+ is disabled, and /);
    expect(await run({ action: 'enable', email })).toMatch(/^Account ada@\S+ is enabled: /);
    expect(disable).toHaveBeenCalledWith(ADA);
    expect(enable).toHaveBeenCalledWith(ADA);
    disable.mockResolvedValue('already_disabled');
    enable.mockResolvedValue('already_enabled');
    expect(await run({ action: 'disable', email })).toMatch(/was disabled before/);
    expect(await run({ action: 'enable', email })).toMatch(/was enabled before/);
  });

  it.each([true, false])('deletes an account, with active licenses: %s', async (withLicenses) => {
    const text = await run({ action: 'delete', email: 'ADA@studio.example', withLicenses });

    expect(deleteAccount).toHaveBeenCalledWith(ADA, withLicenses);
    expect(text).toBe('Deleted.');
  });

  it.each<[UserCommand, string]>([
    [{ action: 'create', email: 'a@', name: undefined }, 'a@ is not a valid e-mail address.'],
    [{ action: 'create', email: ADA, name: ' ' }, 'A name has 1 to 200 characters.'],
    [{ action: 'reset-password', email: 'a@' }, 'a@ is not a valid e-mail address.'],
    [{ action: 'delete', email: 'a@', withLicenses: true }, 'a@ is not a valid e-mail address.'],
  ])('rejects %j', async (command, sentence) => {
    await expect(run(command)).rejects.toThrow(new CommandError(sentence));
    expect(create).not.toHaveBeenCalled();
    expect(resetPassword).not.toHaveBeenCalled();
    expect(deleteAccount).not.toHaveBeenCalled();
  });

  it.each<UserCommand>([
    { action: 'reset-password', email: 'a@b.example' },
    { action: 'disable', email: 'a@b.example' },
    { action: 'enable', email: 'a@b.example' },
  ])('reports an unknown account to $action', async (command) => {
    for (const call of [resetPassword, disable, enable]) {
      call.mockResolvedValue('not_found');
    }

    await expect(run(command)).rejects.toThrow(
      new CommandError('There is no account a@b.example.'),
    );
  });

  it('rethrows that the account exists already', async () => {
    create.mockRejectedValue(new DomainError('EMAIL_ALREADY_REGISTERED'));

    await expect(
      run({ action: 'create', email: 'a@b.example', name: undefined }),
    ).rejects.toMatchObject({ code: 'EMAIL_ALREADY_REGISTERED' });
  });
});
