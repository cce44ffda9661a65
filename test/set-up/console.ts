import { findBrowser } from '../console/find-browser';
import setUpBuild from './build';
import { reportMissingTool } from './missing-tool';

const MISSING =
  'No Chromium was found on the PATH, so the tests of the console cannot run; CHROMIUM can name one.';

/** For the project that uses the built console in a browser. */
export default async function setUpConsole(): Promise<void> {
  if (findBrowser(process.env) === undefined) reportMissingTool(MISSING, process.env);
  await setUpBuild();
}
