// Builds the service and console into dist, each only if its inputs have changed; with --if-missing, only if it is not built.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';

/** Written below `console` by its build. */
const GENERATED = ['console/src/api/schema.d.ts', 'console/src/api/inputs.ts'];

/** Each input is hashed with everything in its folders. The build modules load their tools on demand. */
const PARTS = [
  {
    stamp: path.join('dist', '.inputs'),
    folders: ['src'],
    files: ['tsconfig.json', 'tsconfig.build.json', 'scripts/build-service.mjs'],
    isInput: (file) => !file.endsWith('.spec.ts'),
    outputs: ['build/main.js', 'dist/main.js'],
    module: './build-service.mjs',
  },
  {
    stamp: path.join('dist', 'console-app', '.inputs'),
    folders: ['console'],
    files: ['openapi.json', 'scripts/build-console.mjs', 'src/shared/time/calendar.ts'],
    isInput: (file) => !GENERATED.map((one) => path.normalize(one)).includes(file),
    outputs: [...GENERATED, 'dist/portal-app/index.html'],
    module: './build-console.mjs',
  },
];

/** Commands use the build that a running service uses. */
const isCommand = process.argv.includes('--if-missing');

try {
  await Promise.all(PARTS.map(buildIfChanged));
} catch (error) {
  if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
  console.error(
    'The service has to be built, and the packages for that are missing: run npm ci (without --omit=dev), or start a built service by ' +
      '"node dist/main.js".',
  );
  process.exit(1);
}

async function buildIfChanged({ stamp, folders, files, isInput, outputs, module }) {
  const inputs = hashOf([
    ...folders.flatMap(filesBelow).filter(isInput),
    ...[...files, 'package-lock.json', 'scripts/build.mjs'],
  ]);
  const isBuilt = fs.existsSync(stamp) && outputs.every((file) => fs.existsSync(file));
  if (isBuilt && inputs === stamped(stamp)) return;
  if (isBuilt && isCommand) {
    console.error(
      `${path.dirname(stamp)} is older than its source. npm start and npm run build update it.`,
    );
    return;
  }
  // An interrupted build does not count as complete.
  fs.rmSync(stamp, { force: true });
  console.error(`Building ${path.dirname(stamp)} …`);
  const { build } = await import(module);
  await build();
  fs.writeFileSync(stamp, inputs);
}

function filesBelow(folder) {
  return fs
    .readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort();
}

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) {
    const content = createHash('sha256').update(fs.readFileSync(file)).digest('hex');
    hash.update(`${file} ${content}\n`);
  }
  return hash.digest('hex');
}

function stamped(stamp) {
  return fs.existsSync(stamp) ? fs.readFileSync(stamp, 'utf8') : undefined;
}
