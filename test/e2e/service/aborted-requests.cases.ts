import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { AccountsService } from '../../../src/auth/accounts/accounts.service.js';
import { useApp } from '../use-app.js';

const BODY = JSON.stringify({ email: 'ada@example.com', password: 'correct horse battery' });
const HEAD =
  'POST /auth/login HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n' +
  `Content-Length: ${BODY.length}\r\n\r\n`;
const ABORTED = {
  ...{ level: 30, time: expect.any(String), reqId: expect.any(String), msg: 'request' },
  ...{ ms: expect.any(Number), ip: '127.0.0.1', aborted: true, method: 'POST' },
};

describe('A caller that disconnects', () => {
  // A connection of another test's would be mistaken for the caller's.
  const app = useApp({});
  let logged: number;

  beforeEach(() => (logged = app.log.length));

  /** A connection, and the service's end of it. */
  async function open(): Promise<{ caller: Socket; served: Socket }> {
    const { hostname, port } = new URL(app.url);
    const accepted = once(app.nest.getHttpServer(), 'connection');
    const caller = connect(Number(port), hostname).on('error', () => undefined);
    await once(caller, 'connect');
    const [served] = (await accepted) as [Socket];
    return { caller, served };
  }

  /** Every line but those of security events: an aborted login is one all the same. */
  const lines = () => app.log.slice(logged).filter((line) => !line.includes('"msg":"security"'));

  async function nextLines(): Promise<object[]> {
    while (lines().length === 0) await new Promise(setImmediate);
    // A second line of the same request would follow at once.
    for (let tick = 0; tick < 20; tick += 1) await new Promise(setImmediate);
    return lines().map((line) => JSON.parse(line) as object);
  }

  it.each([
    ['resets the connection', HEAD, { route: '/auth/login' }],
    ['reaches no route', HEAD.replace('/auth/login', '/nowhere'), { path: '/nowhere' }],
  ])(
    'while it sends the body, and %s, is one line without a failure',
    async (_how, head, place) => {
      const { caller } = await open();
      const arrived = once(app.nest.getHttpServer(), 'request');
      caller.write(head + BODY.slice(0, 10));
      await arrived;
      caller.resetAndDestroy();

      expect(await nextLines()).toEqual([{ ...ABORTED, ...place }]);
    },
  );

  it('while the request is worked on is one line without a failure', async () => {
    const { caller, served } = await open();
    let proceed: (user: null) => void = () => undefined;
    const begun = new Promise<void>((resolve) => {
      jest.spyOn(app.nest.get(AccountsService), 'findByEmail').mockImplementationOnce(() => {
        resolve();
        return new Promise((found) => (proceed = found));
      });
    });
    caller.write(HEAD + BODY);
    await begun;
    const gone = new Promise((resolve) => served.once('close', resolve));
    caller.resetAndDestroy();
    await gone;
    proceed(null);

    expect(await nextLines()).toEqual([{ ...ABORTED, route: '/auth/login' }]);
  });
});
