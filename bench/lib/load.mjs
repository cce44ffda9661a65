import { fileURLToPath } from 'node:url';
import { Program } from './program.mjs';

const GENERATOR = fileURLToPath(new URL('load-generator.mjs', import.meta.url));

/**
 * Sends requests from another process, each connection the next one as soon as it has its response.
 *
 * @param {object} job
 * @param {string} job.url
 * @param {number} job.connections
 * @param {number} [job.seconds] how long; without it, `amount` of them or each once
 * @param {number} [job.amount]
 * @param {{ method: string, path: string, headers: object, body?: string }[]} job.requests
 * @param {{ status: number, body: string }} job.expected the body is a regular expression
 * @returns what {@link measure} in the generator gives
 * @throws Error where a response is missing, or is another one than is expected
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
