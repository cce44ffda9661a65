import { collection, type RecordOf, field } from '../../storage/collection.js';

const FIELDS = {
  _id: field.text<'data-keys' | 'machine-identity' | 'first-account' | 'clock'>(),
  value: field.text(),
};

/** A singleton of the deployment: wrapped `data-keys`, `machine-identity`, `first-account` once registered, and the `clock` as of the last hour. */
export type DeploymentItem = RecordOf<typeof FIELDS>;

export const DEPLOYMENT = collection<DeploymentItem>('deployment', { fields: FIELDS });
