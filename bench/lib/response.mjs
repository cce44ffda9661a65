import net from 'node:net';

/** The bytes of a response as they are on the wire. */
export async function rawResponse(url, { method, path, headers, body }) {
  const { hostname, port } = new URL(url);
  const socket = net.connect(Number(port), hostname);
  const lines = Object.entries({
    host: `${hostname}:${port}`,
    ...headers,
    'content-length': Buffer.byteLength(body),
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
  // The server keeps the connection open, so the response ends by its Content-Length.
  let response = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    response += chunk;
    const [, length] = /\r\ncontent-length: (\d+)\r\n/i.exec(response) ?? [];
    if (length && response.length === response.indexOf('\r\n\r\n') + 4 + Number(length)) break;
  }
  return response;
}

/** The headers of a response by their names, without those that every server adds. */
export function ownHeaders(response) {
  const [head] = response.split('\r\n\r\n');
  const added = new Set(['x-request-id', 'content-length', 'date', 'connection', 'keep-alive']);
  return Object.fromEntries(
    head
      .split('\r\n')
      .slice(1)
      .map((line) => line.split(/: (.*)/s))
      .filter(([name]) => !added.has(name)),
  );
}

/** A response with sorted headers, their names in lower case, and without the values that differ between responses. */
export function comparable(response) {
  const [head, body] = response.split('\r\n\r\n');
  const [status, ...headers] = head.split('\r\n');
  const lines = headers.map((line) => {
    const [name, value] = line.split(/: (.*)/s);
    const differs = /^(x-request-id|date)$/i.test(name);
    return `${name.toLowerCase()}: ${differs ? value.replace(/[0-9A-Za-z]/g, '*') : value}`;
  });
  // Each certificate has an id, and a signature, of its own.
  const same = body.replace(/(?<="certificate":")[^"]*/, (text) => text.replace(/[\w-]/g, '*'));
  return [status, ...lines.sort(), '', same].join('\n');
}
