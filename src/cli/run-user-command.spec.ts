import type { AccountsService } from '../auth/accounts.service.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { CommandError } from './command-error.js';
import { runUserCommand } from './run-user-command.js';
import type { UserCommand } from './user-command.js';

const create = jest.fn<Promise<unknown>, [{ password: string }]>();
const resetPassword = jest.fn<Promise<'reset' | 'not_found'>, [string, string]>();
const accounts = { create, resetPassword } as unknown as AccountsService;
const run = (command: UserCommand) => runUserCommand(command, accounts);

describe('runUserCommand', () => {
  beforeEach(() => {
    create.mockReset().mockResolvedValue({});
    resetPassword.mockReset().mockResolvedValue('reset');
  });

  it('creates an account, named by its address unless told otherwise, and prints its password', async () => {
    const text = await run({ action: 'create', email: ' Ada@Studio.Example ', name: undefined });
    await run({ action: 'create', email: 'b@studio.example', name: ' Bob ' });

    const [[account], [other]] = create.mock.calls as [
      [{ password: string }],
      [{ password: string }],
    ];
    expect(account).toMatchObject({ name: 'Ada', email: 'ada@studio.example' });
    expect(other).toMatchObject({ name: 'Bob', email: 'b@studio.example' });
    expect(account.password).toMatch(/^[\w-]{24}$/);
    expect(other.password).not.toBe(account.password);
    expect(text).toContain(`\nE-mail:   ada@studio.example\nPassword: ${account.password}\n`);
    expect(text).toMatch(/shown this once/);
  });

  it('resets a password, and prints the new one', async () => {
    const text = await run({ action: 'reset-password', email: 'ADA@studio.example' });

    const [email, password] = resetPassword.mock.calls[0] ?? [];
    expect(email).toBe('ada@studio.example');
    expect(text).toContain(`Password: ${password}\n`);
  });

  it.each<[string, UserCommand, string]>([
    [
      'a wrong address',
      { action: 'create', email: 'nobody', name: undefined },
      'nobody is not a valid e-mail address.',
    ],
    [
      'an empty name',
      { action: 'create', email: 'a@b.example', name: ' ' },
      'A name has 1 to 200 characters.',
    ],
    [
      'a wrong address to reset',
      { action: 'reset-password', email: 'a@' },
      'a@ is not a valid e-mail address.',
    ],
  ])('refuses %s', async (_case, command, sentence) => {
    await expect(run(command)).rejects.toThrow(new CommandError(sentence));
    expect(create).not.toHaveBeenCalled();
    expect(resetPassword).not.toHaveBeenCalled();
  });

  it('says that there is no such account', async () => {
    resetPassword.mockResolvedValue('not_found');

    await expect(run({ action: 'reset-password', email: 'a@b.example' })).rejects.toThrow(
      new CommandError('There is no account a@b.example.'),
    );
  });

  it('passes on that an account exists', async () => {
    create.mockRejectedValue(new DomainError('EMAIL_ALREADY_REGISTERED'));

    await expect(
      run({ action: 'create', email: 'a@b.example', name: undefined }),
    ).rejects.toMatchObject({ code: 'EMAIL_ALREADY_REGISTERED' });
  });
});
