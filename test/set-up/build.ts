import { run } from './run';
import setUpSdk from './sdk';
import setUpStores from './stores';

let built: Promise<void> | undefined;

/** For the projects that run the built program: the first of a run builds it, and the SDK, from the source of now. */
export default async function setUpBuild(): Promise<void> {
  built ??= run('npm', ['run', 'build', '--silent']);
  await Promise.all([built, setUpSdk(), setUpStores()]);
}
