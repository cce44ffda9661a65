/** The function `search_form` is {@link searchForm}, which migrate() gives to the database. */
export const searchOfClients = `
  ALTER TABLE clients ADD COLUMN searchEmail TEXT NOT NULL DEFAULT '';
  UPDATE clients SET searchEmail = search_form(email);

  -- With what the list is sorted by: a page of many hits is found without reading each of them.
  CREATE INDEX clients_of_owner_by_name ON clients (owner, searchName, createdAt, _id);
  CREATE INDEX clients_of_owner_by_email ON clients (owner, searchEmail, createdAt, _id);
`;
