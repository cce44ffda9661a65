import { AccountServices, PASSWORD } from '../../../test/account-services.js';
import { anIdempotencyRecord } from '../../../test/builders/idempotency-record.builder.js';
import { aPrincipal } from '../../../test/builders/principal.builder.js';
import type { IdempotencyRecord } from '../../shared/idempotency/idempotency-record.js';
import { newObjectId } from '../../shared/ids/object-id.js';
import type { User } from '../accounts/user.js';
import { PasswordChangesService } from './password-changes.service.js';

const NEW = 'nine loud kettles whistle';
const OTHER = 'three red bicycles hum';

describe('PasswordChangesService', () => {
  let services: AccountServices;
  let user: User;
  let record: IdempotencyRecord;

  beforeEach(async () => {
    services = new AccountServices();
    user = await services.account();
    const now = services.clock.now().getTime();
    const expiresAt = new Date(now + 60_000);
    record = anIdempotencyRecord({ owner: user.account, requestHash: 'mine', expiresAt });
  });

  const change = (newPassword = NEW, current = PASSWORD, idempotency = record) => {
    const { accounts, decisions, currentPassword, securityLog } = services;
    const changes = new PasswordChangesService(accounts, decisions, currentPassword, securityLog);
    const caller = aPrincipal(user);
    const passwords = { currentPassword: current, newPassword };
    return changes.change(caller, passwords, '192.0.2.1', idempotency);
  };
  /** Changes the password on another instance. */
  const changeElsewhere = (password: string, idempotency?: IdempotencyRecord) =>
    services.another().accounts.changePassword(user, password, newObjectId(), idempotency);
  const hasPassword = async (password: string) =>
    services.accounts.hasPassword(await services.stored(user), password);
  const events = () => services.logged.map(([event]) => event);

  it('counts a wrong current password, also where another change made it wrong before the commit', async () => {
    await expect(change(NEW, 'wrong')).rejects.toMatchObject({ code: 'WRONG_PASSWORD' });
    services.beforeNextCommit(() => changeElsewhere(OTHER));
    await expect(change()).rejects.toMatchObject({ code: 'WRONG_PASSWORD' });
    expect(services.failures).toEqual(
      Array(2).fill({ address: '192.0.2.1', account: user.email, by: 'session' }),
    );
    expect(events()).toStrictEqual(['wrong_password', 'wrong_password']);
    expect(await hasPassword(OTHER)).toBe(true);
  });

  describe('whose idempotency key a concurrent request has used first', () => {
    const REUSED = expect.objectContaining({ code: 'IDEMPOTENCY_KEY_REUSED' }) as unknown;

    it.each<[string, string, string, unknown, number]>([
      ['succeeds where that made the same change', 'mine', NEW, undefined, 0],
      ['rejects the key where that set another password', 'mine', OTHER, REUSED, 1],
      ['rejects the key where that was another request', 'of another', NEW, REUSED, 0],
    ])('%s', async (_case, requestHash, password, outcome, failed) => {
      services.beforeNextCommit(() => changeElsewhere(password, { ...record, requestHash }));
      expect(await change().catch((error: unknown) => error)).toEqual(outcome);
      expect(await hasPassword(password)).toBe(true);
      expect(services.failures).toHaveLength(failed);
      expect(events()).not.toContain('password_changed');
    });
  });
});
