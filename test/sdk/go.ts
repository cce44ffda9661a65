import { execFileSync, spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

const { stdout } = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' });
/** Whether there is a Go of version 1.22 or newer; an older one could download a newer one. */
export const hasGo = Number(/^go1\.(\d+)/.exec(String(stdout))?.[1]) >= 22;

/** The tests of the Go SDK, which run the scenarios with the argument `scenario-runner`: in the temporary folder of the run. */
export const goRunner = (): string => path.join(os.tmpdir(), 'license-go-runner');

export function buildGoRunner(): void {
  execFileSync('go', ['test', '-c', '-o', goRunner(), '.'], { cwd: 'sdk/go', stdio: 'inherit' });
}
