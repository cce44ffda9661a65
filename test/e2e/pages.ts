import type { Call, HttpCaller } from '../http-caller.js';

export interface Listed {
  readonly _id: string;
}

/**
 * Follows a list from its first page to its last, and gives all that it has shown.
 *
 * @param path with its query, if it has one
 */
export async function readPages<T extends Listed>(
  app: HttpCaller,
  path: string,
  call: Call,
): Promise<T[]> {
  const shown: T[] = [];
  const cursors = new Set<string>();
  let cursor = '';
  for (;;) {
    const { status, body } = await app.get(path + cursor, call);
    expect(status).toBe(200);
    shown.push(...body.data);
    if (body.nextCursor === null) return shown;
    // A list that goes in circles would never end.
    expect(cursors).not.toContain(body.nextCursor);
    cursors.add(body.nextCursor);
    cursor = `${path.includes('?') ? '&' : '?'}cursor=${body.nextCursor}`;
  }
}
