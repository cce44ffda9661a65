import { PasswordHasher } from '../../../src/auth/passwords/password-hasher.js';
import { LOGIN_ADDRESSES } from '../../../src/auth/sessions/session.js';
import { Store } from '../../../src/storage/store.js';
import { expectError, expectResponse } from '../expect-response.js';
import { rateLimitOf, visible } from '../rate-limit.js';
import { useApp } from '../use-app.js';

const ADA = { name: 'Ada', email: 'login@studio.example', password: 'seven quiet lanterns drift' };
const WRONG = { email: ADA.email, password: 'seven quiet lanterns drown' };
const NOBODY = { email: 'nobdy@studio.example', password: ADA.password };

// The limits have their cases in test/e2e/security/login-guessing.cases.ts.
describe('POST /auth/login', () => {
  const app = useApp();
  const spyOnHasher = (method: 'hash' | 'verify') =>
    jest.spyOn(app.nest.get(PasswordHasher, { strict: false }), method);

  beforeAll(() => app.post('/auth/register', ADA));
  afterEach(() => jest.restoreAllMocks());

  it('200: returns the account and the tokens of a new session, without headers of a limit that is off', async () => {
    const response = await app.post('/auth/login', { ...ADA, email: ' LOGIN@studio.example ' });

    expectResponse(response, 200, {
      message: 'Logged in successfully',
      user: {
        ...{ _id: expect.any(String), name: 'Ada', email: ADA.email },
        ...{ role: 'owner', account: expect.any(String) },
        ...{ createdAt: expect.any(String), updatedAt: expect.any(String) },
      },
      ...{ accessToken: expect.any(String), tokenType: 'Bearer', expiresIn: 900 },
      refreshToken: expect.stringMatching(/^[\w-]{44}$/),
    });
    expect(rateLimitOf(response)).toEqual([null, null, null]);
  });

  it('S8: has the same bytes for a wrong password and an unknown account, after exactly one verification and one look-up', async () => {
    const verify = spyOnHasher('verify');
    const hash = spyOnHasher('hash');
    const find = jest.spyOn(app.nest.get(Store), 'find');
    const [wrong, unknown] = [
      await app.post('/auth/login', WRONG),
      await app.post('/auth/login', NOBODY),
    ];

    expectError(wrong, [401, 'INVALID_CREDENTIALS']);
    expect(visible(unknown)).toEqual(visible(wrong));
    expect(verify).toHaveBeenCalledTimes(2);
    const lookUps = find.mock.calls.filter(([collection]) => collection === LOGIN_ADDRESSES);
    expect(lookUps).toHaveLength(2);
    await app.post('/auth/login', ADA);
    expect(verify).toHaveBeenCalledTimes(3);
    expect(hash).not.toHaveBeenCalled();
  });
});
