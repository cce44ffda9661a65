// Installs each package of a release in an empty folder, and lets it verify certificates: node test/release/check.mjs FOLDER
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { INSTALLERS } from './installers.mjs';

const release = path.resolve(process.argv[2]);
const vectors = JSON.parse(fs.readFileSync('sdk/vectors.json', 'utf8'));
/** The verdicts of vectors that do not depend on the time. */
const EXPECTED = {
  'a perpetual license, with a certificate for all time': 'valid',
  'another fingerprint': 'machine',
  'a signature of zeros': 'signature',
};

function artifact(ending) {
  const pattern = new RegExp(`${ending.replaceAll('.', '\\.')}$`);
  const names = fs.readdirSync(release).filter((name) => pattern.test(name));
  if (names.length !== 1) throw new Error(`${ending}: ${names.join()}`);
  return path.join(release, names[0]);
}

function verify([command, ...args], folder, vector) {
  const { issuer, product, fingerprint, certificate, keys } = vector;
  const jwks = keys.map((key) => JSON.stringify(key));
  const given = [path.join(folder, 'state'), issuer, product, fingerprint, certificate, ...jwks];
  return execFileSync(command, [...args, ...given], { encoding: 'utf8' }).trim();
}

execFileSync('sha256sum', ['--check', '--quiet', 'SHA256SUMS'], { cwd: release, stdio: 'inherit' });
for (const [language, install] of Object.entries(INSTALLERS)) {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'license-release-'));
  try {
    const command = install(artifact, folder);
    for (const [name, expected] of Object.entries(EXPECTED)) {
      const result = verify(
        command,
        folder,
        vectors.find((vector) => vector.name === name),
      );
      console.log(`${language}: ${name}: ${result}`);
      if (result !== expected) process.exitCode = 1;
    }
  } finally {
    fs.rmSync(folder, { recursive: true, force: true });
  }
}
