import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { hasCommand } from './has-command.js';
import { cargo, hasRust, LIBRARY, TARGET } from './rust.js';

export const hasMono = hasRust && ['mcs', 'mono'].every(hasCommand);

const FOLDER = path.join(TARGET, 'csharp');
const NATIVE = 'liblicense_management_client.so';
const ASSEMBLY = path.join(FOLDER, 'LicenseManagementClient.dll');

/** Compiles the library with Mono, in the C# that a project for netstandard2.0 has, beside the C ABI with the clock of the tests. */
export function buildCSharp(): void {
  cargo('build', LIBRARY);
  fs.mkdirSync(FOLDER, { recursive: true });
  fs.copyFileSync(path.join(TARGET, 'debug', NATIVE), path.join(FOLDER, NATIVE));
  const sources = fs.readdirSync('sdk/csharp/src').map((name) => `sdk/csharp/src/${name}`);
  compile(ASSEMBLY, '-target:library', ...sources);
}

/** Compiles a program that uses the library, and returns its path. */
export function buildProgram(source: string): string {
  const program = path.join(FOLDER, `${path.basename(source, '.cs')}.exe`);
  compile(program, `-r:${ASSEMBLY}`, '-r:System.Web.Extensions', source);
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
