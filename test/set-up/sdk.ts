import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { useTemporaryFolder } from './temporary-folder';

/** For the project that tests the SDKs: some of its tests run the built one in processes of their own. */
export default function setUpSdk(): void {
  buildSdk();
  useTemporaryFolder();
}

export function buildSdk(): void {
  const tsc = path.resolve('node_modules/typescript/bin/tsc');
  execFileSync(process.execPath, [tsc, '--project', 'sdk/node'], { stdio: 'inherit' });
}
