import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { buildOnce } from './build-once.js';
import { versionOf } from './commands.js';

const PACKAGE = path.resolve('sdk/java/src');
const RUNNER = path.join(PACKAGE, 'test/java/example/licenses/client/ScenarioRunner.java');

/** Whether there are a JDK of version 17 or newer, and Maven. */
export const hasJava =
  versionOf('javac', ['-version'], /^javac (\d+)/m) >= 17 &&
  spawnSync('which', ['mvn']).status === 0;

/** The class path of the compiled SDK and its runner, which need no package. */
export const javaClasses = (): string =>
  buildOnce('license-java', (classes) => {
    const main = path.join(PACKAGE, 'main/java/example/licenses/client');
    const files = fs.readdirSync(main).map((file) => path.join(main, file));
    const options = ['--release', '17', '-Xlint:all', '-Werror', '-d', classes];
    execFileSync('javac', [...options, ...files, RUNNER], { stdio: 'inherit' });
  });
