// Compiles the service into build, and bundles that with its packages into dist.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { rolldown } from 'rolldown';

const COMPILER = path.join('node_modules', 'native-typescript', 'bin', 'tsc');

/** The service and the commands. */
const PROGRAMS = { main: 'main', cli: 'cli/cli' };
/** The file of the worker threads; its name below `dist` is relative to the chunk that starts them. */
const WORKER = 'reader.worker.mjs';

/** Their binaries are files, which they find beside their own. */
const NATIVE_PACKAGES = [/^@node-rs\/argon2$/, /^@photostructure\/sqlite$/];
/**
 * Kept whole: @nestjs/mapped-types loads the first two by `require` when it runs, so a bundled copy would be a second one; the third
 * exports an instance, which a bundler's namespace object breaks.
 */
const SHARED_PACKAGES = [/^class-transformer(?:\/|$)/, /^class-validator$/, /^mongoose$/];
/** Loaded by packages for features that this service does not use; catching the failure is how they find out. */
const OPTIONAL_PACKAGES = [
  /^@nestjs\/(?:microservices|platform-express|websockets)(?:\/|$)/,
  /^@fastify\/(?:multipart|view)$/,
];

/** @throws Error if the source does not compile, once the compiler has printed why */
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
      // An optional package, or a native one, that is missing shows when the bundle is made, not when it runs.
      report(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log);
    },
  });
  await bundle.write({
    dir: 'dist',
    sourcemap: true,
    // reflect-metadata runs before the decorators of the packages in other chunks.
    strictExecutionOrder: true,
    // Names of classes are those of schemas, providers and errors.
    keepNames: true,
    // V8 needs two bytes for each character of a source that has one beyond Latin-1.
    charset: 'ascii',
    comments: { legal: true, annotation: false, jsdoc: false },
    entryFileNames: ({ name }) => (name === WORKER ? WORKER : '[name].js'),
    // Flat, so that a path relative to `import.meta` is relative to `dist` in every chunk.
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
  for (const name of fs.readdirSync('dist').filter((one) => one !== 'console-app')) {
    fs.rmSync(path.join('dist', name), { recursive: true });
  }
}

/** Maps the bundle to the source, not to what was compiled from it. */
const compiledSource = {
  name: 'compiled-source',
  load: {
    filter: { id: /[\\/]build[\\/].*\.js$/ },
    handler: (id) => ({
      code: fs.readFileSync(id, 'utf8'),
      map: fs.readFileSync(`${id}.map`, 'utf8'),
    }),
  },
};
