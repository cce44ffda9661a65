/** The placeholder that a generator replaces by 13 other characters in each request; see load-generator.mjs. */
export const UNIQUE = '{unique}';
const UNIQUE_LENGTH = 13;
/** The placeholder of an address, of which each request has another. */
export const ADDRESS = '{address}';

export interface Content {
  readonly body?: object | undefined;
  readonly token?: string;
  readonly forwardedFor?: string;
}

/** A request as it is on the wire. */
export function onTheWire(
  method: string,
  path: string,
  { body, token, forwardedFor }: Content = {},
): string {
  const text = body ? JSON.stringify(body) : '';
  const length = text.replace(UNIQUE, '0'.repeat(UNIQUE_LENGTH)).length;
  return [
    `${method} ${path} HTTP/1.1`,
    'Host: licenses.example',
    ...(body ? ['Content-Type: application/json', `Content-Length: ${length}`] : []),
    ...(token ? [`Authorization: Bearer ${token}`] : []),
    ...(forwardedFor ? [`X-Forwarded-For: ${forwardedFor}`] : []),
    '',
    text,
  ].join('\r\n');
}
