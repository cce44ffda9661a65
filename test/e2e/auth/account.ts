import type { HttpCaller } from '../../http-caller.js';
import { PASSWORD } from '../developer.js';

export const NEW_PASSWORD = 'nine loud kettles whistle';

let addresses = 0;

/**
 * A new account, its first session, and what the tests of its password do with it,
 * from an address of its own.
 */
export async function accountOn(app: HttpCaller) {
  addresses += 1;
  const own = `203.0.${addresses >> 8}.${addresses & 255}`;
  const developer = await app.register({}, { from: own });
  const { email, token } = developer;
  return {
    ...developer,

    /** Changes the password from PASSWORD to NEW_PASSWORD, unless told otherwise. */
    change: (fields: object = {}, headers: Record<string, string> = {}, from = own) => {
      const passwords = { currentPassword: PASSWORD, newPassword: NEW_PASSWORD, ...fields };
      return app.post('/auth/password', passwords, { token, headers, from });
    },

    logIn: (password: string, from = own) => app.post('/auth/login', { email, password }, { from }),
  };
}
