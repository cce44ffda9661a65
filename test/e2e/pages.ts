import type { Call, HttpCaller } from '../http-caller.js';

export interface Listed {
  readonly _id: string;
}

/**
 * Follows a list from its first page to its last, and gives all that it has shown.
 *
 * @param path with its query, if it has one
 * @param between happens after each page but the last
 */
export async function readPages<T extends Listed>(
  app: HttpCaller,
  path: string,
  call: Call,
  between: () => Promise<unknown> = () => Promise.resolve(),
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
    await between();
    cursor = `${path.includes('?') ? '&' : '?'}cursor=${body.nextCursor}`;
  }
}

export const idsOf = (records: readonly Listed[]): string[] => records.map(({ _id }) => _id);
