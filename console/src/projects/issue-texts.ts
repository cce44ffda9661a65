import type { Range } from '../texts.js';

/** The texts of the dialog that issues licenses. */
export const issue = {
  noProduct: 'No product',
  addProduct: 'New product…',
  newProduct: 'New product ID',
  newProductHint: 'Letters, digits, dots, hyphens and underscores, e.g. com.example.web-shop',
  defaultProject: 'General',
  emailTaken: (name: string) => `${name} has this email address.`,
  useExisting: 'Use this customer',
  count: 'Number of licenses',
  countHint: ({ min, max }: Range) =>
    `${min} to ${max}. Each license gets its own key. You can only set a reference for a single license.`,
  issued: (count: number) => `${count} licenses created`,
  keys: 'License keys',
  copyKeys: 'Copy keys',
  saveKeys: 'Save as file',
  keysFile: 'license-keys.txt',
  revokeAll: 'Revoke all',
  revokeAllTitle: (project: string) => `Revoke all licenses of ${project}?`,
  revokeAllDetails:
    "Their keys stop working within moments and can't be activated again. Offline machines keep working until their certificate expires. This can't be undone.",
  revoking: (project: string) => `Revoking the licenses of ${project}`,
};
