import { buildGoRunner, hasGo } from '../sdk/go';
import { run } from './run';
import { useTemporaryFolder } from './temporary-folder';

let built: Promise<void> | undefined;

/** For projects that run SDKs in separate processes. The first one in a run builds the SDKs. */
export default async function setUpSdk(): Promise<void> {
  useTemporaryFolder();
  await (built ??= build());
}

async function build(): Promise<void> {
  await run('npm', ['run', 'build', '--silent'], 'sdk/node');
  // Its cache has no lock: test files that build at the same time would each compile the standard library.
  if (process.env.TEST_SCOPE === 'full' && hasGo) buildGoRunner();
}
