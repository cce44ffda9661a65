import { execFileSync, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { IS_FULL } from '../scope.js';

const FOLDER = 'sdk/go';

/** Whether there is a Go of version 1.22 or newer; an older one could download a newer one. */
export const hasGo = isNewEnough(
  spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).stdout,
);

/** For tests of Go's own tools: in the default scope, the scenarios and vectors are enough. */
export const describeWithGo = hasGo && IS_FULL ? describe : describe.skip;

function isNewEnough(version: string | null): boolean {
  const [, minor] = /^go1\.(\d+)/.exec(version ?? '') ?? [];
  return Number(minor) >= 22;
}

/** Builds the tests of the Go SDK, which run the scenarios with the argument `scenario-runner`. Returns the path of the program. */
export function buildGoRunner(): string {
  const runner = path.join(fs.mkdtempSync(path.join(os.tmpdir(), 'license-go-')), 'runner');
  execFileSync('go', ['test', '-c', '-o', runner, '.'], { cwd: FOLDER, stdio: 'inherit' });
  return runner;
}
