// Packs the built service, its console and its commands for an installation without a checkout, and lists the
// production packages in it (CycloneDX): npm run package [FOLDER]
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

/** For systemd, nginx, Prometheus and Grafana. */
const DEPLOYED = [
  ...['license-service.service', 'nginx-single.conf', 'nginx.conf'],
  ...['prometheus-alerts.yaml', 'grafana-dashboard.json'],
].map((name) => path.join('deploy', name));

const TEXTS = [
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'openapi.json',
  '.env.example',
  'docs',
];

/** Without the files that build the documentation site. */
const isPage = (file) => !/\.vitepress|^docs.(api|public)\b/.test(file);

const destination = path.resolve(process.argv[2] ?? '.');
const read = (file) => JSON.parse(fs.readFileSync(file, 'utf8'));
const { name, version, description, license, type, engines, allowScripts } = read('package.json');
const { packages } = read('package-lock.json');
const versionOf = (one) => packages[`node_modules/${one}`].version;
const manifest = {
  ...{ name, version, description, license, type, engines, allowScripts },
  bin: { 'license-service': 'dist/cli.js' },
  dependencies: Object.fromEntries(OUTSIDE.map((one) => [one, versionOf(one)])),
};

fs.mkdirSync(destination, { recursive: true });
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'service-package-'));
try {
  const isPacked = (file) => !file.endsWith('.map');
  fs.cpSync('dist', path.join(folder, 'dist'), { recursive: true, filter: isPacked });
  // For a link to it in an unpacked folder; npm makes it executable only when it installs the package.
  fs.chmodSync(path.join(folder, manifest.bin['license-service']), 0o755);
  for (const file of [...TEXTS, ...DEPLOYED]) {
    fs.cpSync(file, path.join(folder, file), { recursive: true, filter: isPage });
  }
  fs.writeFileSync(path.join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  const pack = ['pack', '--silent', '--pack-destination', destination];
  execFileSync('npm', pack, { cwd: folder, stdio: 'inherit' });
} finally {
  fs.rmSync(folder, { recursive: true });
}

const list = ['sbom', '--sbom-format=cyclonedx', '--sbom-type=application', '--omit=dev'];
const sbom = JSON.parse(
  execFileSync('npm', [...list, '--package-lock-only'], { maxBuffer: 64 * 1024 * 1024 }),
);
// npm names it after the folder.
sbom.metadata.component.name = name;
const file = `${name}-${version}.cdx.json`;
fs.writeFileSync(path.join(destination, file), `${JSON.stringify(sbom, null, 2)}\n`);
console.log(file);
