import fs from 'node:fs';
import path from 'node:path';
import { run } from './stage.mjs';

/** The licenses of the crates contained in the C library. */
export function thirdPartyLicenses(sdk, host) {
  const metadata = ['metadata', '--locked', '--quiet', '--format-version', '1'];
  const { packages } = JSON.parse(run('cargo', metadata, { cwd: sdk, isPiped: true }));
  const tree = ['tree', '--locked', '--quiet', '--edges', 'normal', '--prefix', 'none'];
  const select = ['--package', 'license-management-client-c', '--target', host];
  const lines = run('cargo', [...tree, ...select], { cwd: sdk, isPiped: true }).split('\n');
  const used = new Set(lines.map((line) => line.split(' ').slice(0, 2).join(' ')));
  return packages
    .filter(({ name, version, source }) => source && used.has(`${name} v${version}`))
    .map((crate) => `== ${crate.name} ${crate.version}: ${crate.license}\n\n${textsOf(crate)}`)
    .join('\n');
}

function textsOf({ manifest_path }) {
  const folder = path.dirname(manifest_path);
  return fs
    .readdirSync(folder)
    .filter((name) => /^(licen[cs]e|copying|copyright|notice)/i.test(name))
    .filter((name) => fs.statSync(path.join(folder, name)).isFile())
    .map((name) => `${fs.readFileSync(path.join(folder, name), 'utf8').trim()}\n`)
    .join('\n');
}
