import { setTimeout } from 'node:timers/promises';
import { newStore, SECRETS } from '../engines.js';
import { freePort } from '../free-port.js';
import { newEmail } from '../http-caller.js';
import { MailServer, mailThrough } from '../mail-server.js';
import { NO_LIMITS } from '../no-limits.js';
import { Random } from '../random.js';
import { Operator } from '../smoke/operator.js';
import { ServiceClock } from './clock/service-clock.js';
import { prove, SEED, SOME_ENGINES, times } from './prove.js';

const KILLS = times({ short: 2, long: 50 });
const CALLERS = 3;
/** Instances, of which one after the other is killed. */
const INSTANCES = { SQLite: 1, MongoDB: 3 };
/** How far the last start sets the clock ahead, in milliseconds: the leases of killed attempts end, links do not. */
const CLOCK_AHEAD = new ServiceClock(1, 121_000).env;
/** Maximum time until everything has arrived, in milliseconds. */
const SETTLED = 60_000;

/** Each acknowledged registration sends one mail that confirms its address, and nothing else sends mail. */
prove('R17', SOME_ENGINES, async (engine) => {
  const random = new Random(SEED);
  const server = new MailServer();
  const operator = new Operator({
    ...SECRETS,
    ...NO_LIMITS,
    ...newStore(engine),
    ...mailThrough(await server.start()),
    LOG_LEVEL: 'silent',
  });
  const [sent, acknowledged] = [new Set<string>(), new Set<string>()];
  try {
    const ports = await Promise.all(
      Array.from({ length: INSTANCES[engine] }, () => freePort('127.0.0.1')),
    );
    const start = (port: number) => operator.start({ PORT: String(port) });
    const services = await Promise.all(ports.map(start));
    let isOver = false;
    const callers = Array.from({ length: CALLERS }, async (_caller, index) => {
      while (!isOver) {
        const email = newEmail();
        sent.add(email);
        const body = { name: 'Ada', email, password: 'seven quiet lanterns drift' };
        const service = services[index % services.length]!;
        const response = await service.post('/auth/register', body).catch(() => undefined);
        if (response?.status === 201) acknowledged.add(email);
        else await setTimeout(50);
      }
    });
    for (let kill = 1; kill <= KILLS; kill += 1) {
      const enough = acknowledged.size + 4;
      while (acknowledged.size < enough) await setTimeout(20);
      await setTimeout(random.between(0, 300));
      isOver = kill === KILLS;
      const index = kill % services.length;
      // At the end, all of them.
      const killed = isOver ? services : [services[index]!];
      await Promise.all(killed.map((service) => service.end('SIGKILL')));
      if (!isOver) services[index] = await start(ports[index]!);
    }
    await operator.start(CLOCK_AHEAD);
    await Promise.all(callers);
    const recipients = () => server.received.flatMap(({ to }) => to);
    const missing = () => {
      const received = new Set(recipients());
      return [...acknowledged].filter((email) => !received.has(email));
    };
    const end = performance.now() + SETTLED;
    while (missing().length > 0 && performance.now() < end) await setTimeout(100);
    const idsOf = (email: string) =>
      server.received.filter(({ to }) => to.includes(email)).map(({ parsed }) => parsed.messageId);
    const received = [...new Set(recipients())];
    const failures = [
      ...missing().map((email) => `The mail to ${email} is lost`),
      ...received
        .filter((email) => !sent.has(email))
        .map((email) => `A mail to ${email} is invented`),
      ...received
        .filter((email) => new Set(idsOf(email)).size > 1)
        .map((email) => `${email} got two mails`),
    ];
    const repeated = server.received.length - received.length;
    const figures = {
      kills: KILLS,
      acknowledged: acknowledged.size,
      mailed: received.length,
      repeated,
    };
    return { figures, failures };
  } finally {
    await operator.leave();
    await server.stop();
  }
});
