import { execFileSync } from 'node:child_process';
import { buildGoRunner, hasGo } from '../sdk/go';
import { useTemporaryFolder } from './temporary-folder';

let isBuilt = false;

/** For the projects that run SDKs in processes of their own: the first of a run builds them. */
export default function setUpSdk(): void {
  useTemporaryFolder();
  if (isBuilt) return;
  execFileSync('npm', ['run', 'build', '--silent'], { cwd: 'sdk/node', stdio: 'inherit' });
  // Its cache has no lock: test files that build at once would each compile the standard library.
  if (process.env.TEST_SCOPE === 'full' && hasGo) buildGoRunner();
  isBuilt = true;
}
