import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';

/** A port of an address that no server has at this moment, for a program that cannot choose one by itself. */
export async function freePort(address: string): Promise<number> {
  const server = net.createServer().listen(0, address);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
