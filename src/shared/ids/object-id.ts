import { ObjectId } from 'bson';

/** A new object id: 24 lower-case hexadecimal characters, unique across processes. */
export function newObjectId(): string {
  return new ObjectId().toHexString();
}

/** 24 hexadecimal characters, in either case. */
export const OBJECT_ID_PATTERN = /^[0-9a-f]{24}$/i;
