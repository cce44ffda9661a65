import { fork } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';

/** A program of Node in a process of its own, which responds to each message with one message. */
export interface Program {
  readonly pid: number;
  /** @throws Error if the program ends before it responds */
  ask<Result>(message: object): Promise<Result>;
}

/**
 * Runs a program while it is used.
 *
 * @param timeout after which it is killed, in milliseconds
 */
export async function withProgram<T>(
  file: string,
  use: (program: Program) => Promise<T>,
  timeout?: number,
): Promise<T> {
  const child = fork(file, { execArgv: [], serialization: 'advanced', timeout });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`${file} ended with ${code}`);
  });
  const ask = async <Result>(message: object) => {
    child.send(message);
    const [response] = await Promise.race([once(child, 'message'), ended]);
    return response as Result;
  };
  try {
    return await Promise.race([use({ pid: Number(child.pid), ask }), ended]);
  } finally {
    child.kill();
  }
}

/** Processor time of all threads of a process, in microseconds. */
export function cpuOf(pid: number): number {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The fields after the name, which may have spaces; a clock tick is 10 ms.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10_000;
}

/** Resident memory of a process, in MB. */
export function memoryOf(pid: number): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return Math.round(Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024);
}
