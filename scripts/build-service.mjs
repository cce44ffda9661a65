// Compiles the service into build, then bundles it with its packages into dist.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const COMPILER = path.join('node_modules', 'native-typescript', 'bin', 'tsc');

/** The service and the commands. */
const PROGRAMS = { main: 'main', cli: 'cli/cli' };
/** The worker thread file; its name within `dist` is relative to the chunk that starts it. */
const WORKER = 'reader.worker.mjs';

/** Native packages, which look for their binaries next to their own files. */
const NATIVE_PACKAGES = [/^@node-rs\/argon2$/, /^@photostructure\/sqlite$/];
/**
 * Not bundled: @nestjs/mapped-types loads the first two with `require` at run time, so a bundled copy would be a second one; the third
 * exports an instance, which a bundler's namespace object breaks.
 */
const SHARED_PACKAGES = [/^class-transformer(?:\/|$)/, /^class-validator$/, /^mongoose$/];
/** Packages load these for features this service does not use; they handle the failure. */
const OPTIONAL_PACKAGES = [
  /^@nestjs\/(?:microservices|platform-express|websockets)(?:\/|$)/,
  /^@fastify\/(?:multipart|view)$/,
];

/** @throws Error if the source does not compile, after the compiler has printed why */
export async function build() {
  await compile();
  removeLastBundle();
  const bundle = await rolldown({
    input: Object.fromEntries([
      ...Object.entries(PROGRAMS).map(([name, file]) => [name, `build/${file}.js`]),
      [WORKER, `build/storage/sqlite/${WORKER}`],
    ]),
    platform: 'node',
    external: [...NATIVE_PACKAGES, ...SHARED_PACKAGES, ...OPTIONAL_PACKAGES],
    plugins: [compiledSource],
    onLog(level, log, report) {
      // Reports missing packages, even optional or native ones, when bundling rather than at run time.
      report(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log);
    },
  });
  await bundle.write({
    dir: 'dist',
    sourcemap: true,
    // reflect-metadata must run before the decorators of packages in other chunks.
    strictExecutionOrder: true,
    // Class names become names of schemas, providers and errors.
    keepNames: true,
    // V8 needs two bytes per character of a source with any character beyond Latin-1.
    charset: 'ascii',
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: ({ name }) => (name === WORKER ? WORKER : '[name].js'),
    // Flat, so that paths relative to `import.meta` are relative to `dist` in every chunk.
    chunkFileNames: '[name].js',
  });
  await bundle.close();
}

async function compile() {
  const compiler = spawn(process.execPath, [COMPILER, '--build', 'tsconfig.build.json'], {
    stdio: 'inherit',
  });
  const [code] = await once(compiler, 'exit');
  if (code !== 0) throw new Error('The service does not compile.');
}

function removeLastBundle() {
  if (!fs.existsSync('dist')) return;
  for (const name of fs
    .readdirSync('dist')
    .filter((one) => !['console-app', 'portal-app'].includes(one))) {
    fs.rmSync(path.join('dist', name), { recursive: true });
  }
}

/** Maps the bundle to the source rather than to the compiler's output. */
const compiledSource = {
  name: 'compiled-source',
  load: {
    filter: { id: { include: /[\\/]build[\\/].*\.js$/, exclude: /[\\/]node_modules[\\/]/ } },
    handler: (id) => ({
      code: fs.readFileSync(id, 'utf8'),
      map: fs.readFileSync(`${id}.map`, 'utf8'),
    }),
  },
};
