import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { executable, WORKING } from './fixtures';
import { isMongod } from './is-mongod';

describe('isMongod', () => {
  let folder: string;
  const file = (script: string) => executable(join(folder, 'mongod'), script);

  beforeEach(async () => void (folder = await mkdtemp(join(tmpdir(), 'is-mongod-'))));
  afterEach(() => rm(folder, { recursive: true }));

  it('accepts a program that prints to --version what mongod prints', async () => {
    expect(await isMongod(await file(WORKING))).toBe(true);
  });

  it.each([
    ['ends with an error', '#!/bin/sh\necho "db version v0.0.0"\nexit 1\n'],
    ['is another program', '#!/bin/sh\necho "version 1"\n'],
    ['is empty', ''],
    ['is not a program', '\x7fELF partial'],
  ])('rejects a file that %s', async (_, script) => {
    expect(await isMongod(await file(script))).toBe(false);
  });

  it('rejects a file that may not be executed', async () => {
    const path = await file(WORKING);
    await chmod(path, 0o644);
    expect(await isMongod(path)).toBe(false);
  });

  it('rejects a file that is not there', async () => {
    expect(await isMongod(join(folder, 'absent'))).toBe(false);
  });

  it('rejects a program that prints nothing in time, even if it leaves a child behind', async () => {
    expect(await isMongod(await file('#!/bin/sh\nsleep 10\necho "db version"\n'), 100)).toBe(false);
  });
});
