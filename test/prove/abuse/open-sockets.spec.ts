import { once } from 'node:events';
import net, { type AddressInfo, type Socket } from 'node:net';
import { openSockets } from './open-sockets.mjs';

// Other systems have no such list.
(process.platform === 'linux' ? it : it.skip)(
  'openSockets names the caller of each connection that the server has not closed, whatever the caller reads',
  async () => {
    const server = net.createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const url = `http://127.0.0.1:${port}`;
    const accepting = once(server, 'connection') as Promise<[Socket]>;
    const caller = net.connect({ port, host: '127.0.0.1', localAddress: '127.8.9.10' }).pause();
    const [accepted] = await accepting;
    const name = `127.8.9.10:${accepted.remotePort}`;
    expect(openSockets(url)).toEqual([{ caller: name, isAccepted: true }]);

    accepted.write(Buffer.alloc(16 * 1024 * 1024));
    accepted.destroy();
    await once(accepted, 'close');
    expect(caller.bytesRead).toBe(0);
    expect(openSockets(url)).toEqual([]);
    caller.destroy();
    server.close();
  },
);
