import { execFileSync, spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

const FOLDER = 'sdk/go';

/** Whether there is a Go of version 1.22 or newer; an older one could download a newer one. */
export const hasGo = isNewEnough(
  spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' }).stdout,
);

function isNewEnough(version: string | null): boolean {
  const [, minor] = /^go1\.(\d+)/.exec(version ?? '') ?? [];
  return Number(minor) >= 22;
}

/** The tests of the Go SDK, which run the scenarios with the argument `scenario-runner`: in the temporary folder of the run. */
export const goRunner = (): string => path.join(os.tmpdir(), 'license-go-runner');

export function buildGoRunner(): void {
  const args = ['test', '-c', '-o', goRunner(), '.'];
  execFileSync('go', args, { cwd: FOLDER, stdio: 'inherit' });
}
