import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { expectOneSentence } from './one-sentence.js';
import type { Operator } from './operator.js';

/** Expects that a start says in one sentence that another program uses the port of a variable. */
export async function expectPortInUse(
  operator: Operator,
  variable: 'PORT' | 'METRICS_PORT',
  DATA_DIR: string,
): Promise<void> {
  const other = net.createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const port = String((other.address() as AddressInfo).port);
  const ending = await operator.startInVain({ [variable]: port, DATA_DIR });
  other.close();

  expectOneSentence(
    ending,
    `127.0.0.1:${port} is already in use: stop the program that uses it`,
    `set another ${variable}`,
  );
}
