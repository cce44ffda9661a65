import type { SchemaOptions } from 'mongoose';

/** What every schema shares: a field that it does not know is a mistake of this program, and fails. */
export const RECORD_OPTIONS = {
  strict: 'throw',
  strictQuery: 'throw',
  versionKey: false,
} satisfies SchemaOptions;
