import { fingerprintOf } from '../test/prove/many-machines/add-machines.js';
import { withProgram } from '../test/prove/processes.js';

export interface Request {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

interface Expected {
  readonly status: number;
  /** A regular expression. */
  readonly body: string;
}

/** Callers that send their next request as soon as they have a response. */
export interface Job {
  readonly url: string;
  /** Split evenly among the callers. */
  readonly connections: number;
  /** If omitted, each request is sent once. */
  readonly seconds?: number | undefined;
  readonly requests: readonly Request[];
  readonly expected: Expected;
}

interface Load {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
}

/** Sends requests from another process. @throws Error if a response is missing or unexpected */
export async function load(job: Job): Promise<Load> {
  const { wrong, ...result } = await withProgram('bench/load-generator.mjs', (generator) =>
    generator.ask<Load & { wrong: string[] }>(job),
  );
  if (wrong.length > 0) throw new Error(`A round failed: ${wrong.join('; ')}`);
  return result;
}

export const post = (path: string, content: object, token = ''): Request => {
  const authorization = token && { Authorization: `Bearer ${token}` };
  const headers = { 'Content-Type': 'application/json', ...authorization };
  return { method: 'POST', path, headers, body: JSON.stringify(content) };
};

export type Operation = `validate${'' | '/activate' | '/heartbeat' | '/release'}`;

/** The request of a machine. */
export const byMachine = (operation: Operation, key: string, machine = 0): Request =>
  post(`/${operation}`, { key, fingerprint: fingerprintOf(machine) });

export const EXPECTED: Readonly<Record<Operation | 'project', Expected>> = {
  validate: { status: 200, body: '^{"valid":true,"status":"active"' },
  /** A machine that already holds a seat gets no id. */
  'validate/activate': { status: 200, body: '^{"success":true,.*,"machineId":"[0-9a-f]{64}"}$' },
  'validate/heartbeat': { status: 200, body: '^{"success":true,.*"leaseEndsAt":"' },
  'validate/release': { status: 200, body: '^{"success":true' },
  project: { status: 201, body: '"project":{"_id":"[0-9a-f]{24}",.*"status":"PENDING"' },
};

/** Activates licenses with 32 callers, each license on one machine. */
export const activateAll = (url: string, keys: readonly string[]): Promise<Load> =>
  load({
    ...{ url, connections: 32, expected: EXPECTED['validate/activate'] },
    requests: keys.map((key) => byMachine('validate/activate', key)),
  });
