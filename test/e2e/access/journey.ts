import { PASSWORD } from '../developer.js';
import type { Traveller } from '../traveller.js';

/** The part of the journey that is about members, API keys and sessions. */
export async function useAccess(user: Traveller): Promise<void> {
  const grace = { email: 'grace@studio.example', role: 'support' };
  const { invitation } = await user.expect(201, 'POST /members', grace);
  const joining = { invitation: invitation as string, name: 'Grace', password: PASSWORD };
  const joined = await user.expect(201, 'POST /auth/invitations/accept', joining);
  await user.expect('400 INVALID_INVITATION', 'POST /auth/invitations/accept', joining);
  await user.expect(200, `PATCH /members/${joined.user._id}`, { role: 'viewer' });
  await user.expect(200, 'GET /members');
  await user.expect(200, `DELETE /members/${joined.user._id}`);
  const newKey = { name: 'Checkout', scopes: ['licenses:read'] };
  const { apiKey, secret } = await user.expect(201, 'POST /api-keys', newKey);
  const owner = user.token;
  user.token = secret as string;
  await user.expect(200, 'GET /licenses?limit=2');
  user.token = owner;
  await user.expect(200, 'GET /api-keys');
  await user.expect(204, `DELETE /api-keys/${apiKey._id}`);
  const { data: sessions } = await user.expect(200, 'GET /auth/sessions');
  const other = (sessions as { _id: string; current: boolean }[]).find(({ current }) => !current);
  await user.expect(204, `DELETE /auth/sessions/${other!._id}`);
  await user.expect(204, 'DELETE /auth/sessions');
}
