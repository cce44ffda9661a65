/** The indexes hold only records that have a product. */
export const products = `
  ALTER TABLE projects ADD COLUMN product TEXT;
  ALTER TABLE licenses ADD COLUMN product TEXT;
  CREATE INDEX projects_of_product ON projects (owner, product, createdAt, _id)
    WHERE product IS NOT NULL;
  CREATE INDEX licenses_of_product ON licenses (user, product, createdAt, _id)
    WHERE product IS NOT NULL;
  CREATE INDEX licenses_of_product_by_expiry ON licenses (user, product, expiresAt, _id)
    WHERE product IS NOT NULL;
`;
