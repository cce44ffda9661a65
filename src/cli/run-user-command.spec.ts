import { useServices } from '../../test/services.js';
import { AccountsService } from '../auth/accounts/accounts.service.js';
import { USERS } from '../auth/accounts/user.js';
import { SESSIONS } from '../auth/sessions/session.js';
import { SessionsService } from '../auth/sessions/sessions.service.js';
import { CommandError } from './command-error.js';
import { runUserCommand } from './run-user-command.js';
import type { UserCommand } from './user-program.js';

const ADA = 'ada@studio.example';
const EMAIL = ` ${ADA.toUpperCase()} `;

describe('runUserCommand', () => {
  const { store, the, stored, addAccount, addMember } = useServices();
  const deleteAccount = () => Promise.reject(new Error('An account was deleted'));

  const run = async (command: UserCommand) => {
    const texts: string[] = [];
    const accounts = the(AccountsService);
    for await (const text of runUserCommand(command, { accounts, deleteAccount })) texts.push(text);
    return texts.join('\n');
  };

  it('makes another member the owner, and changes the login of a member alone', async () => {
    const ada = await addAccount({ email: ADA });
    const bob = await addMember(ada, { email: 'bob@studio.example', role: 'support' });
    await the(SessionsService).start(ada, '192.0.2.1');
    await run({ action: 'disable', email: bob.email });
    await run({ action: 'reset-password', email: bob.email });
    expect(store.all(SESSIONS)).toHaveLength(1);
    const transfer = () => run({ action: 'transfer', email: EMAIL, to: 'BOB@studio.example' });
    await expect(transfer()).rejects.toThrow(/^bob@\S+ is no enabled member of the account/);
    await run({ action: 'enable', email: bob.email });
    expect(await transfer()).toMatch(/^bob@\S+ is the owner of the account now/);
    const roles = [await stored(USERS, ada), await stored(USERS, bob)].map(({ role }) => role);
    expect(roles).toEqual(['admin', 'owner']);
    await expect(transfer()).rejects.toThrow(/^ada@\S+ is not the owner of an account/);
  });

  it.each<[UserCommand, string]>([
    [{ action: 'create', email: 'a@', name: undefined }, 'a@ is not a valid e-mail address.'],
    [{ action: 'create', email: ADA, name: ' ' }, 'A name has 1 to 200 characters.'],
    [{ action: 'reset-password', email: ADA }, `There is no account ${ADA}.`],
    [{ action: 'disable', email: ADA }, `There is no account ${ADA}.`],
    [{ action: 'enable', email: ADA }, `There is no account ${ADA}.`],
    [{ action: 'transfer', email: ADA, to: 'b@' }, 'b@ is not a valid e-mail address.'],
    [{ action: 'transfer', email: ADA, to: ADA }, `There is no account ${ADA}.`],
  ])('rejects %j with one sentence', async (command, sentence) => {
    await expect(run(command)).rejects.toThrow(new CommandError(sentence));
  });
});
