import { randomUUID } from 'node:crypto';
import { STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import { ERRORS, type ErrorCode } from '../shared/errors/error-codes.js';
import { NO_STORE, toErrorBody } from './error.filter.js';

const BY_CODE: Readonly<Record<string, ErrorCode>> = {
  ERR_HTTP_REQUEST_TIMEOUT: 'REQUEST_TIMEOUT',
  HPE_HEADER_OVERFLOW: 'HEADERS_TOO_LARGE',
};

/** Responds to an incomplete or malformed HTTP request with an error body, and closes the connection. */
export function rejectUnreadableRequest(error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const code = BY_CODE[error.code ?? ''] ?? 'BAD_REQUEST';
  const { status } = ERRORS[code];
  const requestId = randomUUID();
  const body = JSON.stringify(toErrorBody(code, requestId));
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Id: ${requestId}`,
      `Cache-Control: ${NO_STORE}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  );
  // Does not wait for the caller to close, because later requests on the connection would still be served.
  socket.destroySoon();
}
