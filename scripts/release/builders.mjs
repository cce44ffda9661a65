// Each function builds a package with its language's own tool.
import fs from 'node:fs';
import path from 'node:path';
import { buildNuGet } from './nuget.mjs';
import { RUST_FLAGS } from './rust-flags.mjs';
import { committedAt, LIBRARIES, PROFILE, run, TARGET } from './stage.mjs';
import { thirdPartyLicenses } from './third-party-licenses.mjs';
import { zip } from './zip.mjs';

const LIBRARY = 'license_management_client';
const HOST = /^host: (.+)$/m;

export const BUILDERS = {
  Node: buildNpm,
  Python: buildPython,
  Rust: buildCrate,
  'C and C++': buildLibrary,
  'C#': buildNuGet,
  Go: buildModule,
  Java: buildJar,
};

function buildNpm({ staged, folder }) {
  const cwd = path.join(staged, 'sdk/node');
  run('npm', ['run', 'build', '--silent'], { cwd });
  run('npm', ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder], { cwd });
}

function buildPython({ staged, folder }) {
  const cwd = path.join(staged, 'sdk/python');
  const tools = path.join(staged, 'venv');
  const python = path.join(tools, 'bin/python');
  run('python3', ['-m', 'venv', tools]);
  const pip = ['-m', 'pip', 'install', '--quiet', '--no-deps', '--disable-pip-version-check'];
  run(python, [...pip, '--requirement', 'tests/requirements.txt'], { cwd });
  const formats = ['--target', 'sdist', '--target', 'wheel'];
  run(python, ['-m', 'hatchling', 'build', ...formats, '--directory', folder], { cwd });
}

function buildCrate({ staged, folder, version }) {
  const target = path.join(staged, 'crate');
  const crate = `license-management-client-${version}.crate`;
  // Programs that use the package check it.
  const args = ['package', '--locked', '--quiet', '--no-verify', '--allow-dirty'];
  run('cargo', [...args, '--package', 'license-management-client', '--target-dir', target], {
    cwd: path.join(staged, 'sdk'),
  });
  fs.copyFileSync(path.join(target, 'package', crate), path.join(folder, crate));
}

/** For the current platform only. */
function buildLibrary({ staged, folder, version }) {
  const sdk = path.join(staged, 'sdk');
  const args = ['build', '--profile', PROFILE, '--locked'];
  run('cargo', [...args, '--package', 'license-management-client-c'], {
    cwd: sdk,
    env: { CARGO_TARGET_DIR: TARGET, CARGO_ENCODED_RUSTFLAGS: RUST_FLAGS },
  });
  const [, host] = HOST.exec(run('rustc', ['-vV'], { isPiped: true }));
  const name = `license-management-client-c-${version}`;
  const library = path.join(staged, name);
  fs.mkdirSync(path.join(library, 'lib'), { recursive: true });
  for (const extension of ['a', 'so']) {
    const file = `lib${LIBRARY}.${extension}`;
    fs.copyFileSync(path.join(LIBRARIES, file), path.join(library, 'lib', file));
  }
  for (const part of ['include', 'CMakeLists.txt', 'README.md', 'LICENSE', 'CHANGELOG.md']) {
    fs.cpSync(path.join(sdk, 'c', part), path.join(library, part), { recursive: true });
  }
  fs.writeFileSync(path.join(library, 'THIRD-PARTY-LICENSES.txt'), thirdPartyLicenses(sdk, host));
  const owner = ['--owner=0', '--group=0', '--numeric-owner'];
  const order = ['--sort=name', `--mtime=@${committedAt()}`, '--mode=u=rwX,go=rX'];
  const file = path.join(folder, `${name}-${host}.tar.gz`);
  run('tar', [...owner, ...order, '--create', '--gzip', '--file', file, name], { cwd: staged });
}

/** As Go proxies serve it: each file below the path of the module and its version, except tests that read files outside of it. */
function buildModule({ staged, folder, version }) {
  const source = path.join(staged, 'sdk/go');
  const [, module] = /^module (\S+)$/m.exec(fs.readFileSync(path.join(source, 'go.mod'), 'utf8'));
  const root = path.join(staged, 'module');
  const packed = path.join(root, `${module}@v${version}`);
  fs.cpSync(source, packed, { recursive: true });
  fs.rmSync(path.join(packed, 'vectors_test.go'));
  zip(root, path.join(folder, `${path.basename(module)}-v${version}.zip`));
}

function buildJar({ staged, folder, version }) {
  const cwd = path.join(staged, 'sdk/java');
  run('mvn', ['-q', '-B', '-Prelease', '-Dmaven.test.skip=true', 'package'], { cwd });
  const name = `license-management-client-${version}`;
  const documentation = path.join(cwd, 'target', `${name}-javadoc.jar`);
  const date = new Date(committedAt() * 1000).toISOString();
  run('jar', ['--update', '--file', documentation, '--date', date, 'LICENSE'], { cwd });
  for (const suffix of ['', '-sources', '-javadoc']) {
    const jar = `${name}${suffix}.jar`;
    fs.copyFileSync(path.join(cwd, 'target', jar), path.join(folder, jar));
  }
  fs.copyFileSync(path.join(cwd, 'pom.xml'), path.join(folder, `${name}.pom`));
}
