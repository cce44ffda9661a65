/** The function `search_form` is {@link searchForm}, which migrate() gives to the database. */
export const lifeOfALicense = `
  ALTER TABLE licenses ADD COLUMN termStart INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE licenses ADD COLUMN termMonths INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE licenses ADD COLUMN replaces TEXT;
  UPDATE licenses SET termStart = issuedAt, termMonths = duration;

  DROP INDEX licenses_of_client;
  DROP INDEX licenses_of_project;
  CREATE INDEX licenses_of_client ON licenses (client, createdAt, _id);
  CREATE INDEX licenses_of_project ON licenses (project, createdAt, _id);
  CREATE INDEX licenses_of_user ON licenses (user, createdAt, _id);
  CREATE INDEX licenses_of_user_by_expiry ON licenses (user, expiresAt, _id);
  CREATE INDEX licenses_of_user_by_status ON licenses (user, status, createdAt, _id);
  CREATE INDEX licenses_of_user_by_status_and_expiry ON licenses (user, status, expiresAt, _id);
  CREATE INDEX licenses_of_user_by_activation ON licenses (user, activatedAt);

  CREATE TABLE license_events (
    _id TEXT PRIMARY KEY,
    license TEXT NOT NULL REFERENCES licenses ON DELETE CASCADE,
    type TEXT NOT NULL,
    at INTEGER NOT NULL,
    actor TEXT,
    machineId TEXT,
    reason TEXT,
    count INTEGER NOT NULL,
    termEndedAt INTEGER
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX events_of_license ON license_events (license, at, _id);
  CREATE INDEX term_ends_of_license ON license_events (license, termEndedAt)
    WHERE termEndedAt IS NOT NULL;

  ALTER TABLE clients ADD COLUMN searchName TEXT NOT NULL DEFAULT '';
  UPDATE clients SET searchName = search_form(name);

  DROP INDEX projects_of_client;
  CREATE INDEX projects_of_client ON projects (client, createdAt, _id);
  CREATE INDEX projects_of_owner ON projects (owner, createdAt, _id);

  -- Counted as they come and go, so that reading a count does not take longer the more there are.
  CREATE TABLE totals (
    owner TEXT PRIMARY KEY,
    clientsCount INTEGER NOT NULL DEFAULT 0,
    projectsCount INTEGER NOT NULL DEFAULT 0,
    licensesCount INTEGER NOT NULL DEFAULT 0
  ) STRICT, WITHOUT ROWID;
  ALTER TABLE clients ADD COLUMN projectsCount INTEGER NOT NULL DEFAULT 0;
  ALTER TABLE projects ADD COLUMN licensesCount INTEGER NOT NULL DEFAULT 0;
  INSERT INTO totals (owner, clientsCount, projectsCount, licensesCount)
    SELECT owner, count(*),
      (SELECT count(*) FROM projects WHERE projects.owner = clients.owner),
      (SELECT count(*) FROM licenses WHERE licenses.user = clients.owner)
    FROM clients GROUP BY owner;
  UPDATE clients SET projectsCount = (SELECT count(*) FROM projects WHERE client = clients._id);
  UPDATE projects SET licensesCount = (SELECT count(*) FROM licenses WHERE project = projects._id);

  CREATE TRIGGER client_added AFTER INSERT ON clients BEGIN
    INSERT INTO totals (owner, clientsCount) VALUES (NEW.owner, 1)
      ON CONFLICT (owner) DO UPDATE SET clientsCount = clientsCount + 1;
  END;
  CREATE TRIGGER client_removed AFTER DELETE ON clients BEGIN
    UPDATE totals SET clientsCount = clientsCount - 1 WHERE owner = OLD.owner;
  END;
  CREATE TRIGGER project_added AFTER INSERT ON projects BEGIN
    UPDATE totals SET projectsCount = projectsCount + 1 WHERE owner = NEW.owner;
    UPDATE clients SET projectsCount = projectsCount + 1 WHERE _id = NEW.client;
  END;
  CREATE TRIGGER project_removed AFTER DELETE ON projects BEGIN
    UPDATE totals SET projectsCount = projectsCount - 1 WHERE owner = OLD.owner;
    UPDATE clients SET projectsCount = projectsCount - 1 WHERE _id = OLD.client;
  END;
  CREATE TRIGGER license_added AFTER INSERT ON licenses BEGIN
    UPDATE totals SET licensesCount = licensesCount + 1 WHERE owner = NEW.user;
    UPDATE projects SET licensesCount = licensesCount + 1 WHERE _id = NEW.project;
  END;
  CREATE TRIGGER license_removed AFTER DELETE ON licenses BEGIN
    UPDATE totals SET licensesCount = licensesCount - 1 WHERE owner = OLD.user;
    UPDATE projects SET licensesCount = licensesCount - 1 WHERE _id = OLD.project;
  END;

  CREATE TABLE idempotency_claims (
    _id TEXT PRIMARY KEY,
    requestHash TEXT NOT NULL,
    result TEXT NOT NULL,
    expiresAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;
  CREATE INDEX idempotency_claims_by_expiry ON idempotency_claims (expiresAt);
`;
