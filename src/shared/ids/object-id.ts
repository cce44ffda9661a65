import { ObjectId } from 'bson';
import { NOT_STORED } from '../../storage/collection.js';

/** A new object id: 24 lower-case hexadecimal characters, unique across processes. */
export function newObjectId(): string {
  return new ObjectId().toHexString();
}

/** The id and the version of a record that is to be inserted. */
export const newRecord = () => ({ _id: newObjectId(), version: NOT_STORED });

/** 24 hexadecimal characters, in either case. */
export const OBJECT_ID_PATTERN = /^[0-9a-f]{24}$/i;
