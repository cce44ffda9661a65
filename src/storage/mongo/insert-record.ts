import type { ClientSession, Model } from 'mongoose';
import { statementOptions } from './statement-deadline.js';

/**
 * Inserts a record by the driver's own collection: Mongoose's inserts take no options of a statement, and to
 * make and validate a document is a tenth of an activation.
 *
 * @param tx the transaction that it is a part of
 */
export async function insertRecord<Record extends object>(
  model: Model<Record>,
  record: NoInfer<Record>,
  tx?: ClientSession,
): Promise<void> {
  await model.collection.insertOne(record, { ...(tx && { session: tx }), ...statementOptions() });
}
