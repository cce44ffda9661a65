import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { hasCommand } from './has-command.js';
import { cargo, hasRust, LIBRARY, TARGET } from './rust.js';

export const hasMono = hasRust && ['mcs', 'mono'].every(hasCommand);

const NATIVE = 'liblicense_management_client.so';
const ASSEMBLY = 'LicenseManagementClient.dll';

/** Of this test file alone: Mono reads assemblies while they run, so another one must not write them anew. */
let folder: string | undefined;
const inFolder = (name: string): string =>
  path.join((folder ??= fs.mkdtempSync(path.join(os.tmpdir(), 'license-csharp-'))), name);

/** Compiles the library with Mono, in the C# that a project for netstandard2.0 has, beside the C ABI with the clock of the tests. */
export function buildCSharp(): void {
  cargo('build', LIBRARY);
  fs.copyFileSync(path.join(TARGET, 'debug', NATIVE), inFolder(NATIVE));
  const sources = fs.readdirSync('sdk/csharp/src').map((name) => `sdk/csharp/src/${name}`);
  compile(inFolder(ASSEMBLY), '-target:library', ...sources);
}

/** Compiles a program that uses the library, and returns its path. */
export function buildProgram(source: string): string {
  const program = inFolder(`${path.basename(source, '.cs')}.exe`);
  compile(program, `-r:${inFolder(ASSEMBLY)}`, '-r:System.Web.Extensions', source);
  return program;
}

/** Builds the runner of the scenarios, and returns its path. */
export function buildCSharpRunner(): string {
  buildCSharp();
  return buildProgram('sdk/csharp/tests/ScenarioRunner.cs');
}

function compile(output: string, ...args: string[]): void {
  execFileSync('mcs', ['-langversion:7.2', '-warnaserror', `-out:${output}`, ...args]);
}
