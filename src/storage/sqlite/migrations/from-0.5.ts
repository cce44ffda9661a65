/**
 * Makes a table anew, as it is declared: without foreign keys, triggers and constraints. Its indexes follow.
 *
 * @param fields the columns besides `_id` and `version`
 * @param rows what a SELECT of `_id`, the version and the fields continues with
 */
const table = (name: string, fields: string, rows: string) => `
  CREATE TABLE new_${name} (_id TEXT PRIMARY KEY NOT NULL, version INTEGER NOT NULL, ${fields})
    STRICT, WITHOUT ROWID;
  INSERT INTO new_${name} SELECT ${rows};
  DROP TABLE IF EXISTS ${name};
  ALTER TABLE new_${name} RENAME TO ${name};
`;

/** A time in stored JSON. */
const dated = (column: string, format = '%Y-%m-%dT%H:%M:%fZ') =>
  `json_object('$date', strftime('${format}', ${column} / 1000.0, 'unixepoch'))`;

/** The machines of a license that is bound to one. */
const MACHINES = `json_array(json_object(
  'machineId', licenses.machineId, 'name', NULL, 'activatedAt', ${dated('activatedAt')},
  'lastSeenAt', ${dated('activatedAt', '%Y-%m-%dT00:00:00.000Z')}, 'leaseEndsAt', NULL, 'isCertified', json('false'),
  'certificateEndsAt', iif(certificateEndsAt IS NULL, NULL, ${dated('certificateEndsAt')}), 'isReleased', json('false')
))`;

/** What matters of an event. Merging into an empty object leaves out what is null. */
const EVENT_DATA = `json_patch('{}', json_object(
  'reason', reason, 'machineId', event.machineId,
  'certificateExpiresAt', iif(certificateExpiresAt IS NULL, NULL, ${dated('certificateExpiresAt')})
))`;

/** The first time after now at which there is a notice about the end of a license. */
const NEXT_NOTICE = `(
  SELECT min(expiresAt - days * 86400000)
  FROM (SELECT 30 AS days UNION ALL SELECT 7 UNION ALL SELECT 1 UNION ALL SELECT 0)
  WHERE status = 'ACTIVE' AND expiresAt - days * 86400000 > unixepoch() * 1000
)`;

/** From the schema of version 0.5 (9) to 10. The tables that others are made of are dropped last. */
export const FROM_0_5 = `
  DROP TRIGGER client_added;
  DROP TRIGGER client_removed;
  DROP TRIGGER project_added;
  DROP TRIGGER project_removed;
  DROP TRIGGER license_added;
${table('deployment', 'value TEXT NOT NULL', 'item, 1, value FROM deployment')}
${table(
  'sessions',
  `user TEXT NOT NULL, accountId TEXT NOT NULL, startedAt INTEGER NOT NULL, expiresAt INTEGER NOT NULL,
   lastUsedAt INTEGER NOT NULL, address TEXT, userAgent TEXT, familyHash TEXT NOT NULL, tokenHash TEXT NOT NULL`,
  '_id, 1, user, user, startedAt, expiresAt, startedAt, NULL, NULL, familyHash, tokenHash FROM sessions',
)}
${table(
  'login_addresses',
  'user TEXT NOT NULL, accountId TEXT NOT NULL, usedAt INTEGER NOT NULL',
  '_id, 1, user, user, usedAt FROM login_addresses',
)}
${table(
  'signing_keys',
  `issuer TEXT NOT NULL, current TEXT NOT NULL, next TEXT NOT NULL, retired TEXT NOT NULL,
   rotations INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL`,
  `_id, 1, issuer, keys -> '$.current', keys -> '$.next', keys -> '$.retired', rotations, createdAt, updatedAt
   FROM signing_keys`,
)}
${table(
  'clients',
  `name TEXT NOT NULL, email TEXT NOT NULL, searchName TEXT NOT NULL, searchEmail TEXT NOT NULL, owner TEXT NOT NULL,
   projectsCount INTEGER NOT NULL, createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL`,
  '_id, 1, name, email, searchName, searchEmail, owner, projectsCount, createdAt, updatedAt FROM clients',
)}
${table(
  'projects',
  `name TEXT NOT NULL, searchName TEXT NOT NULL, client TEXT NOT NULL, product TEXT, owner TEXT NOT NULL, licensesCount INTEGER NOT NULL,
   createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL`,
  '_id, 1, name, search_form(name), client, product, owner, licensesCount, createdAt, updatedAt FROM projects',
)}
${table(
  'project_tasks',
  `project TEXT NOT NULL, accountId TEXT NOT NULL, work TEXT NOT NULL, product TEXT, createdAt INTEGER NOT NULL`,
  "_id, 1, _id, owner, 'remove', NULL, deletedAt FROM deleted_projects",
)}
  DROP TABLE deleted_projects;
${table(
  'events',
  `accountId TEXT NOT NULL, type TEXT NOT NULL, at INTEGER NOT NULL, lastAt INTEGER, count INTEGER NOT NULL, subject TEXT NOT NULL,
   subjectName TEXT, actorType TEXT NOT NULL, actor TEXT, actorName TEXT, data TEXT NOT NULL, requestId TEXT,
   storedAt INTEGER NOT NULL`,
  `event._id, 1, user, 'license.' || iif(type = 'activation_refused', 'activation_rejected', type), at, NULL, count, license,
   NULL, CASE WHEN actor IS NOT NULL THEN 'user' WHEN event.machineId IS NOT NULL THEN 'machine' ELSE 'system' END,
   ifnull(actor, event.machineId), NULL, ${EVENT_DATA}, NULL, at
   FROM license_events AS event JOIN licenses ON licenses._id = license`,
)}
${table(
  'licenses',
  `keyHash TEXT NOT NULL, sealedKey TEXT NOT NULL, duration INTEGER, issuedAt INTEGER NOT NULL,
   expiresAt INTEGER NOT NULL, termStart INTEGER NOT NULL, termMonths INTEGER NOT NULL, services TEXT NOT NULL,
   status TEXT NOT NULL, user TEXT NOT NULL, client TEXT NOT NULL, project TEXT NOT NULL, product TEXT,
   machines TEXT NOT NULL, certificatesEndAt INTEGER, nextNoticeAt INTEGER, activatedAt INTEGER, revokedAt INTEGER, revokedReason TEXT, replaces TEXT,
   createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL`,
  `_id, 1, keyHash, sealedKey, duration, issuedAt, expiresAt, termStart, termMonths, services, status, user, client,
   project, product, iif(licenses.machineId IS NULL, '[]', ${MACHINES}),
   (SELECT max(certificateExpiresAt) FROM license_events WHERE license = licenses._id), ${NEXT_NOTICE}, activatedAt, revokedAt, revokedReason, replaces,
   createdAt, updatedAt
   FROM licenses LEFT JOIN (
     SELECT license, machineId, max(certificateExpiresAt) AS certificateEndsAt
     FROM license_events WHERE type = 'certificate_issued' GROUP BY license, machineId
   ) AS certificate ON license = _id AND certificate.machineId = licenses.machineId`,
)}
  DROP TABLE license_events;
${table(
  'idempotency_records',
  'owner TEXT NOT NULL, requestHash TEXT NOT NULL, result TEXT NOT NULL, expiresAt INTEGER NOT NULL',
  `_id, 1, owner, requestHash, result, expiresAt FROM idempotency_records WHERE owner IS NOT NULL`,
)}
${table(
  'totals',
  `clientsCount INTEGER NOT NULL, projectsCount INTEGER NOT NULL, licensesCount INTEGER NOT NULL,
   disabledAt INTEGER`,
  `users._id, 1, ifnull(clientsCount, 0), ifnull(projectsCount, 0), ifnull(licensesCount, 0), disabledAt
   FROM users LEFT JOIN totals ON owner = users._id`,
)}
${table(
  'users',
  `account TEXT NOT NULL, role TEXT NOT NULL, name TEXT NOT NULL, email TEXT NOT NULL, passwordHash TEXT NOT NULL,
   createdAt INTEGER NOT NULL, updatedAt INTEGER NOT NULL, disabledAt INTEGER`,
  "_id, 1, _id, 'owner', name, email, passwordHash, createdAt, updatedAt, NULL FROM users",
)}
  DROP TABLE deleted_accounts;
`;
