import type { Call, HttpCaller } from '../http-caller.js';

/** Everything an owner can read except their own sessions, and the published keys of the first issuer. */
export async function everythingOf(app: HttpCaller, call: Call) {
  const [me, dashboard, projects, licenses, members, apiKeys, webhooks, templates] =
    await Promise.all([
      app.get('/auth/me', call),
      app.get('/dashboard', call),
      app.readPages('/projects?limit=100', call),
      app.readPages('/licenses?limit=100', call),
      app.get('/members', call),
      app.get('/api-keys', call),
      app.get('/webhooks', call),
      app.get('/mail-templates', call),
    ]);
  const keySet = await app.get(`/keys/${me.body.account}`);
  // Sequential, because an account may have 32 requests in progress.
  const details: object[][] = [];
  for (const { _id } of licenses) {
    details.push(await app.readPages(`/licenses/${_id}/events`, call));
    details.push((await app.get(`/licenses/${_id}/machines`, call)).body.data);
  }
  const bodies = [me, dashboard, members, apiKeys, webhooks, templates, keySet].map(
    ({ body }) => body as object,
  );
  return [...bodies, projects, licenses, details];
}
