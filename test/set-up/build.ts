import { execSync } from 'node:child_process';
import setUpSdk from './sdk';
import setUpStores from './stores';

let isBuilt = false;

/** For the projects that run the built program: the first of a run builds it, and the SDK, from the source of now. */
export default async function setUpBuild(): Promise<void> {
  setUpSdk();
  if (!isBuilt) execSync('npm run build --silent', { stdio: 'inherit' });
  isBuilt = true;
  await setUpStores();
}
