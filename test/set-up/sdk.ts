import { execFileSync } from 'node:child_process';
import { useTemporaryFolder } from './temporary-folder';

/** For the project that tests the SDKs: some of its tests run the built one in processes of their own. */
export default function setUpSdk(): void {
  buildSdk();
  useTemporaryFolder();
}

export function buildSdk(): void {
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: 'sdk/node', stdio: 'inherit' });
}
