import { collection, type RecordOf, text } from '../../storage/collection.js';

const FIELDS = {
  _id: text<'data-keys' | 'machine-identity' | 'first-account' | 'clock'>(),
  value: text(),
};

/** A singleton of the deployment: wrapped `data-keys`, `machine-identity`, `first-account` once registered, and the `clock` as of the last hour. */
export type DeploymentItem = RecordOf<typeof FIELDS>;

export const DEPLOYMENT = collection<DeploymentItem>('deployment', { fields: FIELDS });
