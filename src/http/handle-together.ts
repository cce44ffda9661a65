import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';

/**
 * Has requests handled together, once an iteration of the event loop has read all that have arrived. What arrives together then counts
 * together against the capacity (R8), callers that send the next request at once cannot keep an iteration from ending, and a
 * validation takes half of the processor time.
 */
export function handleTogether(server: Server): void {
  const [serve] = server.listeners('request') as RequestListener[];
  let waiting: [IncomingMessage, ServerResponse][] = [];
  const handle = () => {
    const all = waiting;
    waiting = [];
    for (const [request, response] of all) serve!.call(server, request, response as never);
  };
  server.removeAllListeners('request').on('request', (request, response) => {
    if (waiting.push([request, response]) === 1) setImmediate(handle);
  });
}
