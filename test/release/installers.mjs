// Installs the package of each language in an empty folder. Each function returns the command that runs a program with it.
import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { TARGET } from '../../scripts/release/stage.mjs';

const PROGRAMS = path.join(import.meta.dirname, 'programs');

const run = (command, args, cwd, env = {}) =>
  execFileSync(command, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ['ignore', 'ignore', 'inherit'],
  });

function copy(program, folder, name = program) {
  const file = path.join(folder, name);
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.copyFileSync(path.join(PROGRAMS, program), file);
  return file;
}

/** `artifact` finds the package by the end of its file name. */
export const INSTALLERS = {
  Node(artifact, folder) {
    fs.writeFileSync(path.join(folder, 'package.json'), '{}');
    run('npm', ['install', '--silent', '--offline', artifact('.tgz')], folder);
    return [process.execPath, copy('verify.mjs', folder)];
  },

  Python(artifact, folder) {
    const python = path.join(folder, 'venv/bin/python');
    run('python3', ['-m', 'venv', 'venv'], folder);
    run(python, ['-m', 'pip', 'install', '--disable-pip-version-check', artifact('.whl')], folder);
    return [python, copy('verify.py', folder)];
  },

  Rust(artifact, folder) {
    run('tar', ['--extract', '--file', artifact('.crate')], folder);
    const crate = path.basename(artifact('.crate'), '.crate');
    copy('verify.rs', folder, 'src/main.rs');
    const dependency = `{ path = "${crate}", default-features = false, features = ["ureq"] }`;
    fs.writeFileSync(
      path.join(folder, 'Cargo.toml'),
      '[package]\nname = "verify"\nedition = "2024"\n[workspace]\n' +
        `[dependencies]\nlicense-management-client = ${dependency}\n`,
    );
    fs.copyFileSync(path.join(folder, crate, 'Cargo.lock'), path.join(folder, 'Cargo.lock'));
    run('cargo', ['build', '--quiet'], folder, { CARGO_TARGET_DIR: TARGET });
    return [path.join(TARGET, 'debug/verify')];
  },

  C(artifact, folder) {
    const library = path.join(folder, 'package');
    fs.mkdirSync(library);
    run('tar', ['--extract', '--file', artifact('gnu.tar.gz'), '--strip-components=1'], library);
    copy('verify.c', folder);
    fs.writeFileSync(
      path.join(folder, 'CMakeLists.txt'),
      'cmake_minimum_required(VERSION 3.18)\nproject(verify C CXX)\nadd_subdirectory(package)\n' +
        'add_executable(verify verify.c)\n' +
        'target_link_libraries(verify PRIVATE license_management_client)\n',
    );
    run('cmake', ['-S', '.', '-B', 'build'], folder);
    run('cmake', ['--build', 'build'], folder);
    return [path.join(folder, 'build/verify')];
  },

  'C#'(artifact, folder) {
    run('unzip', ['-q', '-j', artifact('.nupkg'), 'lib/*', 'runtimes/*'], folder);
    const reference = '-r:LicenseManagementClient.dll';
    run('mcs', ['-out:Verify.exe', reference, copy('Verify.cs', folder)], folder);
    return ['mono', path.join(folder, 'Verify.exe')];
  },

  Go(artifact, folder) {
    const [, version] = /-(v[0-9.]+)\.zip$/.exec(artifact('.zip'));
    const proxy = path.join(folder, 'proxy/licenses.example/licenseclient/@v');
    fs.mkdirSync(proxy, { recursive: true });
    const mod = execFileSync('unzip', ['-p', artifact('.zip'), `*@${version}/go.mod`]);
    fs.writeFileSync(path.join(proxy, `${version}.mod`), mod);
    fs.writeFileSync(path.join(proxy, `${version}.info`), JSON.stringify({ Version: version }));
    fs.copyFileSync(artifact('.zip'), path.join(proxy, `${version}.zip`));
    const program = path.join(folder, 'program');
    copy('verify.go', program);
    const env = {
      GOPROXY: `file://${path.join(folder, 'proxy')}`,
      GONOSUMDB: 'licenses.example',
      GOFLAGS: '-modcacherw',
      GOMODCACHE: path.join(folder, 'modules'),
    };
    run('go', ['mod', 'init', 'example.com/verify'], program, env);
    run('go', ['get', `licenses.example/licenseclient@${version}`], program, env);
    run('go', ['build', '-o', 'verify', '.'], program, env);
    return [path.join(program, 'verify')];
  },

  Java(artifact, folder) {
    return ['java', '-cp', artifact('[0-9].jar'), copy('Verify.java', folder)];
  },
};
