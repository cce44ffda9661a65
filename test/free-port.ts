import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import net from 'node:net';

/** Below the ephemeral ports, one of which might be taken before its server listens, or while it restarts. */
const FIRST = 10_240;
const LAST = 32_767;

/** A port that no server uses at the moment, for programs that cannot choose one themselves. */
export async function freePort(address: string): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, LAST + 1);
    const server = net.createServer().listen(port, address);
    const isFree = await once(server, 'listening').then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== 'EADDRINUSE') throw error;
        return false;
      },
    );
    server.close();
    if (isFree) return port;
  }
}
