import { run } from './run';
import setUpSdk from './sdk';
import setUpStores from './stores';

let built: Promise<void> | undefined;

/** For projects that run the built program. The first one in a run builds the program and the SDK from the current source. */
export default async function setUpBuild(): Promise<void> {
  built ??= run('npm', ['run', 'build', '--silent']);
  await Promise.all([built, setUpSdk(), setUpStores()]);
}
