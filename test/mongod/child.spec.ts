import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { createReadStream } from 'node:fs';
import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { succeeds } from './child';
import { temporaryFolder } from './fixtures';

describe('succeeds', () => {
  let folder: string;
  let abort: AbortController;
  const shell = (script: string) =>
    succeeds('sh', ['-c', script], { cwd: folder, env: process.env, signal: abort.signal });
  const exists = (name: string) =>
    access(join(folder, name)).then(
      () => true,
      () => false,
    );

  beforeEach(async () => {
    folder = await temporaryFolder();
    abort = new AbortController();
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('tells success from failure', async () => {
    expect(await shell('exit 0')).toBe(true);
    expect(await shell('exit 3')).toBe(false);
    expect(await shell('kill -9 $$')).toBe(false);
  });

  it('is false for a command that is not there', async () => {
    const options = { cwd: folder, env: {}, signal: abort.signal };
    expect(await succeeds('no-such-command', [], options)).toBe(false);
  });

  it('kills what the command started, too', async () => {
    execFileSync('mkfifo', [join(folder, 'alive')]);
    const alive = createReadStream(join(folder, 'alive'));
    const result = shell('(sleep 10; touch late) > alive & wait');
    await once(alive, 'open');
    abort.abort();
    expect(await result).toBe(false);
    // It ends when nobody is left that could write to it.
    await text(alive);
    expect(await exists('late')).toBe(false);
  });

  it('does not let a command run whose signal has aborted before', async () => {
    abort.abort();
    expect(await shell('sleep 60')).toBe(false);
  });
});
