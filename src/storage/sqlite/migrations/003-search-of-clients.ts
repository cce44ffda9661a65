/** The function `search_form` is {@link searchForm}, which migrate() gives to the database. */
export const searchOfClients = `
  ALTER TABLE clients ADD COLUMN searchEmail TEXT NOT NULL DEFAULT '';
  UPDATE clients SET searchEmail = search_form(email);
`;
