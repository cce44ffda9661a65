import { spawnSync } from 'node:child_process';

const SCRIPT =
  'import ensurepip, sys, venv; print(sys.executable if sys.version_info >= (3, 9) else "")';

/**
 * The path of a Python that is new enough and creates virtual environments, which Debian packages separately. The python3 on
 * the PATH may be a wrapper that needs its user's home.
 */
export function findPython(env: NodeJS.ProcessEnv): string | undefined {
  const { stdout } = spawnSync('python3', ['-c', SCRIPT], { env, encoding: 'utf8' });
  return stdout?.trim() || undefined;
}
