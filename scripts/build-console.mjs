// Builds the web console into dist/console-app, unless nothing that it is built from has changed since.
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { inputsModule } from '../console/generate-inputs.mjs';

/** The hash of the inputs of the last build, written when it is complete. */
const STAMP = path.join('dist', 'console-app', '.inputs');
/** The types of the API, generated from its document. */
const TYPES = path.join('console', 'src', 'api', 'schema.d.ts');
/** The attributes of inputs, generated from the API document. */
const INPUTS = path.join('console', 'src', 'api', 'inputs.ts');
const GENERATED = [TYPES, INPUTS];

const inputs = hashOf([
  ...filesBelow('console').filter((file) => !GENERATED.includes(file)),
  ...['openapi.json', 'package-lock.json', path.join('scripts', 'build-console.mjs')],
]);
if (inputs !== stamped() || !GENERATED.every((file) => fs.existsSync(file))) await build();

async function build() {
  // An interrupted build is not taken as complete.
  fs.rmSync(STAMP, { force: true });
  // A test runner sets another value, by which the development build of React would be bundled.
  process.env.NODE_ENV = 'production';
  const [{ default: openapiTS, astToString }, vite] = await Promise.all([
    import('openapi-typescript'),
    import('vite'),
  ]);
  const document = JSON.parse(fs.readFileSync('openapi.json', 'utf8'));
  fs.writeFileSync(TYPES, astToString(await openapiTS(document)));
  fs.writeFileSync(INPUTS, inputsModule(document));
  await vite.build({ root: 'console', logLevel: 'warn' });
  fs.writeFileSync(STAMP, inputs);
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

function stamped() {
  return fs.existsSync(STAMP) ? fs.readFileSync(STAMP, 'utf8') : undefined;
}
