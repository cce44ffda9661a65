import type { HttpCaller } from '../http-caller.js';
import { readPages } from './pages.js';

interface Named {
  readonly _id: string;
  readonly name: string;
}

interface License {
  readonly _id: string;
  readonly key: string;
  readonly status: string;
  readonly expiresAt: string;
  readonly revokedReason: string | null;
}

interface KeySet {
  readonly keys: readonly { readonly kid: string }[];
}

/** Everything that an owner can read but the own sessions, and the published keys of its first issuer. */
export async function everythingOf(app: HttpCaller, { token }: { token: string }) {
  const call = { token };
  const [me, dashboard, projects, licenses, members, apiKeys, webhooks] = await Promise.all([
    app.get('/auth/me', call),
    app.get('/dashboard', call),
    readPages<Named>(app, '/projects?limit=100', call),
    readPages<License>(app, '/licenses?limit=100', call),
    app.get('/members', call),
    app.get('/api-keys', call),
    app.get('/webhooks', call),
  ]);
  const keySet = await app.get(`/keys/${me.body.account}`);
  // One after the other: an account may have 32 requests in progress.
  const events: { _id: string; type: string }[][] = [];
  for (const { _id } of licenses) {
    events.push(await readPages(app, `/licenses/${_id}/events`, call));
  }
  return {
    user: me.body as object,
    dashboard: dashboard.body as { clientsCount: number; data: Named[] },
    projects,
    licenses,
    events,
    members: members.body as object,
    apiKeys: apiKeys.body as object,
    webhooks: webhooks.body as object,
    keySet: keySet.body as KeySet,
  };
}
