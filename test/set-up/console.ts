import { findChromium } from '../../bench/lib/find-chromium.mjs';
import { reportMissingChromium } from '../console/missing-chromium';
import setUpBuild from './build';

/** For the project that uses the built console in a browser. */
export default async function setUpConsole(): Promise<void> {
  if (findChromium(process.env) === undefined) reportMissingChromium(process.env);
  await setUpBuild();
}
