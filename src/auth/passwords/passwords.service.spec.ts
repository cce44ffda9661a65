import { anIdempotencyRecord, aPrincipal } from '../../../test/builders.js';
import { PASSWORD, useServices } from '../../../test/services.js';
import {
  IDEMPOTENCY_RECORDS,
  type IdempotencyRecord,
} from '../../shared/idempotency/idempotency-record.js';
import { SecurityLog } from '../../shared/logging/security-log.js';
import { type User, USERS } from '../accounts/user.js';
import { LoginLimiter } from '../../limits/login-limiter.js';
import { PasswordHasher } from './password-hasher.js';
import { PasswordsService } from './passwords.service.js';

const NEW = 'nine loud kettles whistle';
const OTHER = 'three red bicycles hum';

describe('Changing the password', () => {
  const services = useServices();
  const { store, clock, the, stored, addAccount, beforeNextCommit } = services;
  const other = useServices(services);
  let user: User;
  let record: IdempotencyRecord;
  let logged: jest.SpiedFunction<SecurityLog['record']>;

  beforeEach(async () => {
    user = await addAccount();
    const expiresAt = new Date(clock.now().getTime() + 60_000);
    record = anIdempotencyRecord({ owner: user.account, requestHash: 'mine', expiresAt });
    logged = jest.spyOn(the(SecurityLog), 'record');
  });

  const change = (newPassword = NEW, currentPassword = PASSWORD) => {
    const passwords = { currentPassword, newPassword };
    return the(PasswordsService).change(aPrincipal(user), passwords, '192.0.2.1', record);
  };
  const changeElsewhere = (newPassword: string, idempotency?: IdempotencyRecord) => {
    const passwords = { currentPassword: PASSWORD, newPassword };
    const service = other.the(PasswordsService);
    return service.change(aPrincipal(user), passwords, '192.0.2.2', idempotency);
  };
  const hasPassword = async (password: string) =>
    the(PasswordHasher).verify((await stored(USERS, user)).passwordHash, password);
  const events = () => logged.mock.calls.map(([event]) => event);

  // The limiter logs a failed attempt when it counts it.
  it('counts a wrong current password, and rejects one that changes before the commit', async () => {
    const attempts = jest.spyOn(the(LoginLimiter), 'attempt');
    await expect(change(NEW, 'wrong')).rejects.toMatchObject({ code: 'WRONG_PASSWORD' });
    beforeNextCommit(() => changeElsewhere(OTHER));
    const field = { fields: { field: 'currentPassword' } };
    await expect(change()).rejects.toMatchObject({ code: 'WRONG_PASSWORD', ...field });
    const attempt = { address: '192.0.2.1', account: user.email, by: 'session' };
    expect(attempts.mock.calls.map(([first]) => first)).toEqual([attempt, attempt]);
    expect(events()).toStrictEqual(['wrong_password']);
    expect(await hasPassword(OTHER)).toBe(true);
  });

  describe('after a concurrent request used the same idempotency key', () => {
    const REUSED = expect.objectContaining({ code: 'IDEMPOTENCY_KEY_REUSED' }) as unknown;

    it.each<[string, string, string, unknown, string[]]>([
      ['succeeds if it made the same change', 'mine', NEW, undefined, []],
      ['rejects the key if it set another password', 'mine', OTHER, REUSED, ['wrong_password']],
      ['rejects the key if it was a different request', 'of another', NEW, REUSED, []],
    ])('%s', async (_case, requestHash, password, outcome, logs) => {
      beforeNextCommit(() => changeElsewhere(password, { ...record, requestHash }));
      expect(await change().catch((error: unknown) => error)).toEqual(outcome);
      expect(await hasPassword(password)).toBe(true);
      expect(events()).toStrictEqual(logs);
      // Nothing about the password is stored.
      const results = store.all(IDEMPOTENCY_RECORDS).map(({ result }) => result);
      expect(results).toStrictEqual([{ changedAt: clock.now() }]);
    });
  });
});
