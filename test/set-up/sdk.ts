import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { useTemporaryFolder } from './temporary-folder';

/** Builds the SDK for the tests that run it in a process of its own. */
export default function setUpSdk(): void {
  const tsc = path.resolve('node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '--project', 'sdk/node'], { stdio: 'inherit' });
  useTemporaryFolder();
}
