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
      [WORKER, `build/storage/sqlite/readers/${WORKER}`],
    ]),
    platform: 'node',
    external: [...NATIVE_PACKAGES, ...OPTIONAL_PACKAGES],
    plugins: [compiledSource, ...corrected],
    onLog(level, log, report) {
      // An optional package, or a native one, that is missing shows when the bundle is made, not when it runs.
      report(log.code === 'UNRESOLVED_IMPORT' ? 'error' : level, log);
    },
  });
  await bundle.write({
    dir: 'dist',
    sourcemap: true,
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
  checkCorrections();
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

/** Where the bundler would take a package otherwise than Node does, or a package does at its start what the service never needs. */
const CORRECTIONS = [
  // Node's `require` would load a second class-validator from node_modules.
  {
    file: /@nestjs[\\/]mapped-types[\\/].*\.js$/,
    before: 'const require = createRequire(import.meta.url);',
    after: '',
  },
  // The bundler's namespace of a CommonJS module inherits from its exports, here an instance, which takes itself for one.
  {
    file: /@nestjs[\\/]mongoose[\\/].*\.js$/,
    before: "import * as mongoose from 'mongoose';",
    after: "import mongoose from 'mongoose';",
  },
  // The first formatter of a process takes 8 MB. The service writes its log without these.
  ...['logger', 'console-logger'].map((name) => ({
    file: new RegExp(`@nestjs[\\\\/]common[\\\\/]services[\\\\/]${name}\\.service\\.js$`),
    before: 'new Intl.DateTimeFormat(undefined, {',
    after:
      '((options) => ({ format: (at) => new Intl.DateTimeFormat(undefined, options).format(at) }))({',
  })),
  // 2 MB and a twentieth of the start, for servers of HTTP/2 alone.
  {
    file: /fastify[\\/]lib[\\/]server\.js$/,
    before: "const http2 = require('node:http2')",
    after: `const http2 = {
      createServer: (...args) => require('node:http2').createServer(...args),
      createSecureServer: (...args) => require('node:http2').createSecureServer(...args),
    }`,
  },
];

const applied = new Set();

const corrected = CORRECTIONS.map((correction) => ({
  name: 'corrected',
  transform: {
    filter: { id: correction.file, code: correction.before },
    handler(code) {
      applied.add(correction);
      return { code: code.replace(correction.before, correction.after), map: null };
    },
  },
}));

/** @throws Error if a package is not any more what a correction was written for */
function checkCorrections() {
  for (const correction of CORRECTIONS) {
    if (!applied.has(correction)) throw new Error(`Nothing to correct: ${correction.file}`);
  }
}
