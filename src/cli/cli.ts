#!/usr/bin/env -S node --max-semi-space-size=32 --heap-growing-percent=100
import 'reflect-metadata';
import { describeFailure } from './command-error.js';

// The reader of the pipe, such as head, has exited.
process.stdout.on('error', () => process.exit(1));

try {
  // Not a static import, whose missing packages nobody could explain.
  const { createProgram } = await import('./program.js');
  const args = process.argv.slice(2);
  await createProgram().parseAsync(args.length > 0 ? args : ['start'], { from: 'user' });
} catch (error) {
  console.error(describeFailure(error));
  // Not exitCode: Node 20 would report a failed import a second time, with its stack.
  process.exit(1);
}
