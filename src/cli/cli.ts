#!/usr/bin/env -S node --max-semi-space-size=32 --heap-growing-percent=100
import 'reflect-metadata';
import { describeFailure } from './command-error.js';
import { createProgram } from './program.js';

// The reader of the pipe, such as head, has exited.
process.stdout.on('error', () => process.exit(1));

try {
  const args = process.argv.slice(2);
  await createProgram().parseAsync(args.length > 0 ? args : ['start'], { from: 'user' });
} catch (error) {
  console.error(describeFailure(error));
  process.exitCode = 1;
}
