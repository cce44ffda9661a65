import { findChromium } from '../../bench/lib/find-chromium.mjs';
import { reportMissingChromium } from '../console/missing-chromium';
import setUpBuild from './build';

/** For the project that uses the built console in a browser, which it does in the full scope alone. */
export default async function setUpConsole(): Promise<void> {
  if (process.env.TEST_SCOPE !== 'full') return;
  if (findChromium(process.env) === undefined) reportMissingChromium(process.env);
  await setUpBuild();
}
