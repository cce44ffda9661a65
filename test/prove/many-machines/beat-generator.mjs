// A generator of heartbeats: each machine sends one, from an address of its own and on a new connection; see beats.ts.
import { setTimeout } from 'node:timers/promises';
import { percentile } from '../percentile.mjs';
import { count, post, reasonOf } from '../abuse/post.mjs';

async function run({ url, network, machines, seconds }) {
  const outcomes = {};
  const times = [];
  const beat = async (check, i) => {
    const localAddress = `127.${network}.${i >> 8}.${i & 255}`;
    const options = { agent: false, localAddress };
    const { status, body } = await post(`${url}/validate/heartbeat`, check, options);
    return status === 200 ? '200' : `${status} ${body.code}`;
  };
  const begun = performance.now();
  const beats = machines.map(async (check, i) => {
    const due = begun + (i / machines.length) * seconds * 1000;
    await setTimeout(Math.max(0, due - performance.now()));
    count(outcomes, await beat(check, i).catch(reasonOf));
    times.push(performance.now() - due);
  });
  await Promise.all(beats);
  times.sort((a, b) => a - b);
  const [p99, slowest] = [percentile(times, 0.99), times.at(-1)].map(Math.round);
  return { outcomes, p99, slowest };
}

process.once('disconnect', () => process.exit());
process.once('message', async (job) => process.send(await run(job)));
