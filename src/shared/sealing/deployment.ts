import { collection, type RecordOf, text } from '../../storage/collection.js';

const FIELDS = { _id: text<'data-keys' | 'machine-identity' | 'first-account'>(), value: text() };

/** A singleton of the deployment: wrapped `data-keys`, `machine-identity`, and `first-account` once registered. */
export type DeploymentItem = RecordOf<typeof FIELDS>;

export const DEPLOYMENT = collection<DeploymentItem>('deployment', { fields: FIELDS });
