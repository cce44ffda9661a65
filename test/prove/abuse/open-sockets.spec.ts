import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { openSockets } from './open-sockets.mjs';

// Other systems have no such list.
(process.platform === 'linux' ? describe : describe.skip)('openSockets', () => {
  let server: net.Server;
  let caller: Socket;
  let accepted: Socket;
  let url: string;
  let name: string;

  beforeEach(async () => {
    server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    url = `http://127.0.0.1:${port}`;
    caller = net.connect({ port, host: '127.0.0.1', localAddress: '127.8.9.10' }).pause();
    [[accepted]] = (await Promise.all([once(server, 'connection'), once(caller, 'connect')])) as [
      [Socket],
      unknown,
    ];
    name = `127.8.9.10:${caller.localPort}`;
  });
  afterEach(async () => {
    caller.destroy();
    accepted.destroy();
    server.close();
    await once(server, 'close');
  });

  it('names the caller of each connection that the server holds', () => {
    expect(openSockets(url)).toEqual([{ caller: name, isAccepted: true }]);
  });

  it('leaves out a connection that the server has closed, though its caller has not read what was sent', async () => {
    accepted.write(Buffer.alloc(16 * 1024 * 1024));
    accepted.destroy();
    await once(accepted, 'close');

    expect(caller.bytesRead).toBe(0);
    expect(openSockets(url)).toEqual([]);
  });
});
