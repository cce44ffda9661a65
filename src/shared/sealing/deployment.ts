import { collection, type RecordOf, text } from '../../storage/collection.js';

const FIELDS = { _id: text<'data-keys' | 'machine-identity' | 'first-account'>(), value: text() };

/** An item of which a deployment has one: `data-keys` wrapped, `machine-identity`, and `first-account` where it was registered. */
export type DeploymentItem = RecordOf<typeof FIELDS>;

export const DEPLOYMENT = collection<DeploymentItem>('deployment', { fields: FIELDS });
