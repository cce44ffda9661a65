import { randomUUID } from 'node:crypto';
import type { MemberRole } from '../../../src/auth/access/roles.js';
import type { HttpCaller, HttpResponse } from '../../http-caller.js';
import { type Developer, type LoggedInDeveloper, PASSWORD } from '../developer.js';

export const newEmail = (): string => `${randomUUID()}@studio.example`;

export const invite = (
  app: HttpCaller,
  { token }: { token: string },
  role: MemberRole = 'support',
  email = newEmail(),
): Promise<HttpResponse> => app.post('/members', { email, role }, { token });

export const accept = (app: HttpCaller, invitation: string, fields: object = {}) => {
  const joining = { invitation, name: 'Grace', password: PASSWORD, ...fields };
  return app.post('/auth/invitations/accept', joining);
};

/** A new member of a developer's account, logged in. */
export async function addMember(
  app: HttpCaller,
  owner: Developer,
  role: MemberRole = 'support',
): Promise<LoggedInDeveloper> {
  const { invitation } = (await invite(app, owner, role)).body;
  const { body } = await accept(app, String(invitation));
  const { _id, email } = body.user as { _id: string; email: string };
  return { _id, email, token: body.accessToken, refreshToken: body.refreshToken };
}

/** The secret of a new API key. */
export async function addApiKey(
  app: HttpCaller,
  { token }: { token: string },
  scopes: readonly string[],
  fields: object = {},
): Promise<{ readonly _id: string; readonly token: string }> {
  const { body } = await app.post('/api-keys', { name: 'Checkout', scopes, ...fields }, { token });
  return { _id: body.apiKey._id, token: body.secret };
}
