import { anIdempotencyRecord } from '../../../test/builders/idempotency-record.builder.js';
import { at } from '../../../test/builders/time.js';
import {
  IdempotencyKeyTaken,
  type StoredResult,
} from '../../shared/idempotency/idempotency-record.js';
import { IdempotentWrites } from '../../shared/idempotency/idempotent-writes.service.js';
import { toAccountId } from '../../shared/ids/account-id.js';
import type { SecurityLog } from '../../shared/logging/security-log.js';
import type { AccountsService } from '../accounts/accounts.service.js';
import type { LoginAttempt, LoginLimiter } from '../login-limit/login-limiter.js';
import { PasswordChangesService } from './password-changes.service.js';
import type { User } from '../accounts/user.js';

const OLD = 'seven quiet lanterns drift';
const NEW = 'nine loud kettles whistle';
const CALLER = {
  accountId: toAccountId('000000000000000000000001'),
  session: '000000000000000000000002',
};
const RECORD = anIdempotencyRecord({ owner: CALLER.accountId, requestHash: 'mine' });
const done = { changedAt: at(1) };

describe('PasswordChangesService', () => {
  let password: string;
  let kept: StoredResult | null;
  const failures: LoginAttempt[] = [];
  const changePassword = jest.fn<Promise<unknown>, unknown[]>();

  const accounts = {
    get: async (_id: string) => ({ _id, email: 'ada@studio.example' }) as User,
    hasPassword: async (_user: User, given: string) => given === password,
    changePassword,
  } as unknown as AccountsService;
  const writes = new IdempotentWrites({ find: async () => kept });
  const limiter = {
    attempt: async (attempt: LoginAttempt, login: () => Promise<unknown>) => {
      const result = await login();
      if (result === null) failures.push(attempt);
      return result;
    },
  } as unknown as LoginLimiter;
  const log = { record: () => undefined } as unknown as SecurityLog;
  const service = new PasswordChangesService(accounts, writes, limiter, log);
  const change = () => {
    const passwords = { currentPassword: OLD, newPassword: NEW };
    return service.change(CALLER, passwords, '192.0.2.1', RECORD);
  };

  beforeEach(() => {
    password = OLD;
    kept = null;
    failures.length = 0;
    changePassword.mockReset().mockResolvedValue(done);
  });

  it('passes on the session to keep and the idempotency record', async () => {
    await change();

    expect(changePassword).toHaveBeenCalledWith(
      expect.objectContaining({ _id: CALLER.accountId }),
      NEW,
      CALLER.session,
      RECORD,
    );
    expect(failures).toEqual([]);
  });

  it('counts a wrong current password, also where another change made it wrong before the write', async () => {
    changePassword.mockResolvedValue('wrong_password');
    await expect(change()).rejects.toMatchObject({ code: 'WRONG_PASSWORD' });
    password = 'another one';
    await expect(change()).rejects.toMatchObject({ code: 'WRONG_PASSWORD' });

    expect(failures).toEqual(
      Array(2).fill({ address: '192.0.2.1', account: 'ada@studio.example', by: 'session' }),
    );
    expect(changePassword).toHaveBeenCalledTimes(1);
  });

  describe('whose idempotency key a concurrent request has used first', () => {
    const REUSED = expect.objectContaining({ code: 'IDEMPOTENCY_KEY_REUSED' }) as unknown;

    it.each<[string, string, string, unknown, number]>([
      ['succeeds where that made the same change', 'mine', NEW, undefined, 0],
      ['rejects the key where that set another password', 'mine', 'another one', REUSED, 1],
      ['rejects the key where that was no password change', 'of another', OLD, REUSED, 0],
    ])('%s', async (_case, requestHash, itsPassword, outcome, failed) => {
      changePassword.mockImplementation(async () => {
        kept = { requestHash, result: done };
        password = itsPassword;
        throw new IdempotencyKeyTaken();
      });

      expect(await change().catch((error: unknown) => error)).toEqual(outcome);
      expect(failures).toHaveLength(failed);
    });

    it('throws where the idempotency record is gone again', async () => {
      changePassword.mockRejectedValue(new IdempotencyKeyTaken());

      await expect(change()).rejects.toThrow(IdempotencyKeyTaken);
    });
  });

  it('rethrows every other error without counting a failure', async () => {
    changePassword.mockRejectedValue(new Error('disk I/O error'));

    await expect(change()).rejects.toThrow('disk I/O error');
    expect(failures).toEqual([]);
  });
});
