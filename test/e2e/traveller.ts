import type { TestApp } from '../app.js';

/** Each request with its response, in order. */
export type Journey = [request: string, status: number, body: unknown][];

/** A user's way through every operation, which expects the status of each response. */
export class Traveller {
  readonly journey: Journey = [];
  token: string | undefined;

  constructor(private readonly app: TestApp) {}

  /** @param expected its status, and the code of its error */
  async expect(
    expected: number | `${number} ${string}`,
    request: string,
    body?: object,
    headers: Record<string, string> = {},
  ) {
    const [method, path] = request.split(' ') as [string, string];
    // Records of one time are in the order of their ids, which is another one each time.
    this.app.clock.advance({ seconds: 1 });
    const response = await this.app.send(method, path, body && JSON.stringify(body), {
      ...(this.token && { token: this.token }),
      headers,
    });
    const { status, body: received } = response;
    this.journey.push([request.replace(/cursor=.*/, 'cursor'), status, received]);
    const outcome = status < 400 ? status : `${status} ${received.code}`;
    expect([request, outcome]).toEqual([request, expected]);
    return received;
  }

  /** Follows a list to its end. */
  async pages(path: string): Promise<unknown[]> {
    const all: unknown[] = [];
    let cursor = '';
    for (;;) {
      const { data, nextCursor } = await this.expect(200, `GET ${path}${cursor}`);
      all.push(...(data as unknown[]));
      if (nextCursor === null) return all;
      cursor = `&cursor=${nextCursor}`;
    }
  }
}
