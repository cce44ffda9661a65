import type { DatabaseSyncInstance } from '@photostructure/sqlite';

const CONTRADICTIONS: Record<string, string> = {
  'project without its client':
    'SELECT 1 FROM projects WHERE client NOT IN (SELECT _id FROM clients)',
  'project without a license':
    'SELECT 1 FROM projects WHERE _id NOT IN (SELECT project FROM licenses)',
  'project with another owner than its client':
    'SELECT 1 FROM projects JOIN clients ON clients._id = client WHERE projects.owner <> clients.owner',
  'license without its project': `SELECT 1 FROM licenses WHERE project NOT IN
      (SELECT _id FROM projects UNION SELECT _id FROM deleted_projects)`,
  'deleted project that exists':
    'SELECT 1 FROM projects WHERE _id IN (SELECT _id FROM deleted_projects)',
  'license with another user or client than its project': `
    SELECT 1 FROM licenses JOIN projects ON projects._id = project
    WHERE (user, licenses.client) <> (owner, projects.client)`,
  'license with another product than its project': `
    SELECT 1 FROM licenses JOIN projects ON projects._id = project
    WHERE licenses.product IS NOT projects.product`,
  'license without the event of its creation': `
    SELECT 1 FROM licenses WHERE _id NOT IN
      (SELECT license FROM license_events WHERE type = 'created')`,
  'event without its license':
    'SELECT 1 FROM license_events WHERE license NOT IN (SELECT _id FROM licenses)',
  'signing keys of a deleted account':
    'SELECT 1 FROM signing_keys WHERE _id IN (SELECT _id FROM deleted_accounts)',
  'signing keys under another kid than that of the current one':
    "SELECT 1 FROM signing_keys WHERE currentKid IS NOT keys ->> '$.current.kid'",
  'client with a wrong projectsCount': `
    SELECT 1 FROM clients WHERE projectsCount <>
      (SELECT count(*) FROM projects WHERE client = clients._id)`,
  'project with a wrong licensesCount': `
    SELECT 1 FROM projects WHERE licensesCount <>
      (SELECT count(*) FROM licenses WHERE project = projects._id)`,
  'owner of clients without totals':
    'SELECT 1 FROM clients WHERE owner NOT IN (SELECT owner FROM totals)',
  'wrong totals': `
    SELECT 1 FROM totals WHERE (clientsCount, projectsCount, licensesCount) <> (
      (SELECT count(*) FROM clients WHERE owner = totals.owner),
      (SELECT count(*) FROM projects WHERE owner = totals.owner),
      (SELECT count(*) FROM licenses WHERE user = totals.owner
        AND project NOT IN (SELECT _id FROM deleted_projects)))`,
};

/** The inconsistencies of a store: records without their parent, wrong counters and totals. */
export function contradictionsIn(database: DatabaseSyncInstance): string[] {
  return Object.entries(CONTRADICTIONS).flatMap(([name, sql]) =>
    database
      .prepare(sql)
      .all()
      .map(() => name),
  );
}
