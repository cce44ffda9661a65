import { backup, DatabaseSync } from '@photostructure/sqlite';
import fs from 'node:fs';
import path from 'node:path';
import { StartupError } from '../../../shared/errors/startup-error.js';
import { requireStore } from '../connection/store-folder.js';
import { writeAtomically } from './write-atomically.js';
import { type VerifiedStore, verifyStore } from './verify-store.js';

/** Pages of 4 KB that are copied in a step: some milliseconds. */
const BATCH_SIZE = 1_000;

/** The pages of the store, and how many of them are copied. */
export interface CopiedPages {
  readonly copied: number;
  readonly total: number;
}

/** A written backup: its size in bytes, and what was verified. */
export interface Backup extends VerifiedStore {
  readonly bytes: number;
}

/**
 * Copies the store of a data folder as of one moment to a new file, and verifies the copy. The store may be served:
 * neither reads nor writes wait for it.
 *
 * @param verifying is called before the copy is verified, which blocks the event loop
 * @throws StartupError where there is no store, or the copy cannot be written or is damaged
 */
export async function backUp(
  dataDir: string,
  file: string,
  report: (pages: CopiedPages) => void,
  verifying: () => void,
): Promise<Backup> {
  const store = requireStore(dataDir);
  let verified: VerifiedStore | undefined;
  await writeAtomically(file, async (partial) => {
    await copyStore(store, partial, report);
    verifying();
    verified = verifyStore(partial, `The store in ${dataDir}`);
  });
  return { ...verified!, bytes: fs.statSync(file).size };
}

async function copyStore(
  store: string,
  partial: string,
  report: (pages: CopiedPages) => void,
): Promise<void> {
  const source = open(store);
  try {
    await backup(source, partial, {
      rate: BATCH_SIZE,
      progress: ({ totalPages, remainingPages }) =>
        report({ total: totalPages, copied: totalPages - remainingPages }),
    });
  } finally {
    source.close();
  }
}

function open(store: string) {
  const source = new DatabaseSync(store);
  try {
    // All steps copy what this transaction reads. Without it each write of the service would make the copy begin again.
    source.exec('PRAGMA busy_timeout = 5000; BEGIN; SELECT count(*) FROM sqlite_schema');
    return source;
  } catch (error) {
    source.close();
    throw new StartupError(
      `The store in ${path.dirname(store)} cannot be read (${(error as Error).message}): run the command as the user ` +
        'of the service, and make the files of the store intact.',
    );
  }
}
