import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { hasCommand } from './commands.js';
import { buildOnce } from './build-once.js';
import { cargo, hasRust, LIBRARY, TARGET } from './rust.js';

export const hasMono = hasRust && ['mcs', 'mono'].every(hasCommand);

const NATIVE = 'liblicense_management_client.so';
const ASSEMBLY = 'LicenseManagementClient.dll';

/** Compiles the library with Mono, in the C# that a project for netstandard2.0 has, beside the C ABI with the clock of the tests. */
function buildCSharp(folder: string): void {
  cargo('build', LIBRARY);
  fs.copyFileSync(path.join(TARGET, 'debug', NATIVE), path.join(folder, NATIVE));
  const sources = fs.readdirSync('sdk/csharp/src').map((name) => `sdk/csharp/src/${name}`);
  compile(path.join(folder, ASSEMBLY), '-target:library', ...sources);
  compileIn(folder, 'sdk/csharp/tests/ScenarioRunner.cs');
}

/** The folder of the library, with the runner of the scenarios. */
const builtFolder = () => buildOnce('license-csharp', buildCSharp);

/** Compiles a program that uses the library, and returns its path. */
export const buildProgram = (source: string): string => compileIn(builtFolder(), source);

export const csharpRunner = (): string => path.join(builtFolder(), 'ScenarioRunner.exe');

function compileIn(folder: string, source: string): string {
  const program = path.join(folder, `${path.basename(source, '.cs')}.exe`);
  compile(program, `-r:${path.join(folder, ASSEMBLY)}`, '-r:System.Web.Extensions', source);
  return program;
}

function compile(output: string, ...args: string[]): void {
  execFileSync('mcs', ['-langversion:7.2', '-warnaserror', `-out:${output}`, ...args]);
}
