import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';

/** The file system that Linux keeps in memory, where containers may have as little as 64 MB. */
const MEMORY = '/dev/shm';
const ROOM_BYTES = 4 * 1024 ** 3;

let folder: string | undefined;

/** Creates the tests' temporary folder: in memory if there is room, so that no commit waits for a disk. */
export function useTemporaryFolder(): void {
  folder ??= fs.mkdtempSync(path.join(hasRoom(MEMORY) ? MEMORY : os.tmpdir(), 'license-tests-'));
  process.env.TMPDIR = folder;
}

/** For proofs that need no mongod. */
export default useTemporaryFolder;

export function removeTemporaryFolder(): void {
  if (folder) fs.rmSync(folder, { recursive: true, force: true });
}

function hasRoom(directory: string): boolean {
  try {
    const { bavail, bsize } = fs.statfsSync(directory);
    return bavail * bsize >= ROOM_BYTES;
  } catch {
    return false;
  }
}
