import { type mongo, Types } from 'mongoose';
import type { Position } from '../../shared/pagination/page.js';

/**
 * The condition of the records that come after a position in a list that is sorted by a time, ties
 * broken by id in the same direction; of all, where there is none.
 *
 * @param field the time that the list is sorted by
 */
export function comesAfter(
  position: Position | undefined,
  field: string,
  order: 'asc' | 'desc' = 'desc',
): mongo.Filter<mongo.Document> {
  if (!position) return {};
  const { time } = position;
  const _id = new Types.ObjectId(position._id);
  // The bound outside of $or is what lets the index begin at the position.
  return order === 'asc'
    ? { [field]: { $gte: time }, $or: [{ [field]: { $gt: time } }, { _id: { $gt: _id } }] }
    : { [field]: { $lte: time }, $or: [{ [field]: { $lt: time } }, { _id: { $lt: _id } }] };
}
