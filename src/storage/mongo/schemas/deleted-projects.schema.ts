import type { Types } from 'mongoose';

/** The `keyHash` of the record: it sorts before that of every license. */
export const DELETED_PROJECTS = '!deleted projects';

/**
 * The deleted projects whose licenses are still stored; absent or empty where there are none. One record in the collection of
 * licenses, so that the look-up of license keys finds it with the same statement.
 */
export interface DeletedProjectsRecord {
  readonly _id: Types.ObjectId;
  readonly keyHash: typeof DELETED_PROJECTS;
  /** The earliest deletion first. */
  readonly projects: readonly DeletedProject[];
}

export interface DeletedProject {
  readonly _id: Types.ObjectId;
  readonly owner: Types.ObjectId;
}
