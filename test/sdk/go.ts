import { execFileSync, spawnSync } from 'node:child_process';
import os from 'node:os';
import path from 'node:path';

const { stdout } = spawnSync('go', ['env', 'GOVERSION'], { encoding: 'utf8' });
/** Whether Go 1.22 or newer is installed; an older one might download a newer one. */
export const hasGo = Number(/^go1\.(\d+)/.exec(String(stdout))?.[1]) >= 22;

/** The compiled tests of the Go SDK, which run the scenarios with the argument `scenario-runner`, in the run's temporary folder. */
export const goRunner = (): string => path.join(os.tmpdir(), 'license-go-runner');

export function buildGoRunner(): void {
  execFileSync('go', ['test', '-c', '-o', goRunner(), '.'], { cwd: 'sdk/go', stdio: 'inherit' });
}
