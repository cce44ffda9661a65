import { execSync } from 'node:child_process';
import setUpStores from './stores';

/** For the project that runs the built program: builds it from the source of now. */
export default async function setUpBuild(): Promise<void> {
  execSync('npm run build --silent', { stdio: 'inherit' });
  await setUpStores();
}
