// Packs the built service, its console and its commands for an installation without a checkout: npm run package [FOLDER]
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import './build.mjs';

/** What the bundle loads from node_modules; all other packages are in it. */
const OUTSIDE = [
  ...['@node-rs/argon2', '@photostructure/sqlite', 'class-transformer', 'class-validator'],
  ...['mongoose', 'swagger-ui-dist'],
];

const destination = path.resolve(process.argv[2] ?? '.');
const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
const { name, version, description, license, type, engines } = read('package.json');
const { packages } = read('package-lock.json');
const versionOf = (one) => packages[`node_modules/${one}`].version;
const manifest = {
  ...{ name, version, description, license, type, engines },
  bin: { 'license-service': 'dist/cli.js' },
  dependencies: Object.fromEntries(OUTSIDE.map((one) => [one, versionOf(one)])),
};

const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'service-package-'));
try {
  const isPacked = (file) => !file.endsWith('.map');
  fs.cpSync('dist', path.join(folder, 'dist'), { recursive: true, filter: isPacked });
  for (const file of ['LICENSE', 'README.md', '.env.example']) {
    fs.copyFileSync(file, path.join(folder, file));
  }
  fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const pack = ['pack', '--silent', '--pack-destination', destination];
  execFileSync('npm', pack, { cwd: folder, stdio: 'inherit' });
} finally {
  fs.rmSync(folder, { recursive: true });
}
