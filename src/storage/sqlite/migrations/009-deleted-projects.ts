/**
 * The licenses of a deleted project are deleted after it, in batches. Until then they refer to a project, and maybe to
 * a client, that is no more. Only the text of their table changes, as sqlite.org/lang_altertable.html (section 7) allows.
 */
export const deletedProjects = `
  PRAGMA writable_schema = ON;
  UPDATE sqlite_schema
    SET sql = replace(replace(sql, ' REFERENCES clients', ''), ' REFERENCES projects', '')
    WHERE type = 'table' AND name = 'licenses';
  PRAGMA writable_schema = RESET;

  -- Deleted projects that still have licenses.
  CREATE TABLE deleted_projects (
    _id TEXT PRIMARY KEY,
    owner TEXT NOT NULL,
    deletedAt INTEGER NOT NULL
  ) STRICT, WITHOUT ROWID;

  -- Tells whether a project has active licenses, and counts the licenses of a deleted one, without reading them.
  CREATE INDEX licenses_of_project_by_status ON licenses (project, status, expiresAt, activatedAt);

  DROP TRIGGER license_removed;
  DROP TRIGGER project_removed;
  CREATE TRIGGER project_removed AFTER DELETE ON projects BEGIN
    UPDATE totals SET projectsCount = projectsCount - 1, licensesCount = licensesCount - OLD.licensesCount
      WHERE owner = OLD.owner;
    UPDATE clients SET projectsCount = projectsCount - 1 WHERE _id = OLD.client;
  END;
`;
