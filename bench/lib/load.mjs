import { fileURLToPath } from 'node:url';
import { Program } from './program.mjs';

const GENERATOR = fileURLToPath(new URL('load-generator.mjs', import.meta.url));

/**
 * Sends requests from another process. Each connection sends its next request as soon as it has a response.
 *
 * @param {object} job
 * @param {string | string[]} job.url several share the connections evenly
 * @param {number} job.connections
 * @param {number} [job.seconds] duration; without it, `amount` requests are sent, and without both, each request once
 * @param {number} [job.amount]
 * @param {{ method: string, path: string, headers: object, body?: string }[]} job.requests
 * @param {{ status: number, body: string }} job.expected the body is a regular expression
 * @returns the result of `measure` in load-generator.mjs
 * @throws Error where a response is missing or is not the expected one
 */
export async function load(job) {
  const generator = new Program([GENERATOR]);
  try {
    generator.send(job);
    const result = await generator.message();
    if (result.wrong.length > 0) throw new Error(`A round failed: ${result.wrong.join('; ')}`);
    return result;
  } finally {
    await generator.end();
  }
}
