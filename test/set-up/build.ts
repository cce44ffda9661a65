import { execSync } from 'node:child_process';
import { buildSdk } from './sdk';
import setUpStores from './stores';

/** For the project that runs the built program: builds it, and the SDK, from the source of now. */
export default async function setUpBuild(): Promise<void> {
  execSync('npm run build --silent', { stdio: 'inherit' });
  buildSdk();
  await setUpStores();
}
