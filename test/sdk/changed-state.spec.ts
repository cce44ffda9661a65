import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Random } from '../random.js';
import { LANGUAGES } from './languages.js';
import { type Result, RunnerProcess } from './runner-process.js';
import { fillIn, SCENARIOS } from './scenario.js';

const STATES = 500;
const TIMEOUT_MS = 600_000;
const VALUES = [
  ...['null', 'true', '-1', '-0', '1e400', '1e-400', '1.0', '9007199254740992', '0.5', '""'],
  ...['"\\ud800"', '"\\u0000"', '".."', '[]', '{}', '[[1]]', '"revoked"', '1,"x":2', 'NaN', "'a'"],
];

/** A state file as an SDK writes it, with damage of one kind: a byte, a value, a name, or an end. */
function changed(whole: string, random: Random): Buffer {
  const bytes = Buffer.from(whole);
  const at = random.between(0, bytes.length - 1);
  const members = [...whole.matchAll(/"(\w+)":("[^"]*"|null|\d+)/g)];
  const [member, name, value] = random.of(members);
  switch (random.between(0, 4)) {
    case 0:
      bytes[at] = random.between(0, 255);
      return bytes;
    case 1:
      return bytes.subarray(0, at);
    case 2:
      return Buffer.from(whole.replace(member, () => `"${name}":${random.of(VALUES)}`));
    case 3:
      return Buffer.from(
        whole.replace(member, () => `"${name}":${random.of(VALUES)},"${name}":${value}`),
      );
    default:
      return Buffer.from(
        whole.replace(`"${name}"`, random.of(['"Key"', '"\\u006bey"', '""', 'key'])),
      );
  }
}

describe('a state file that somebody has changed', () => {
  it(
    `is judged alike by every SDK, in ${STATES} of ${STATES} cases`,
    async () => {
      const parent = fs.mkdtempSync(path.join(os.tmpdir(), 'license-changed-'));
      const folder = path.join(parent, 'state');
      const values = { ...SCENARIOS.certificates, service: 'http://127.0.0.1:2', folder };
      const options = fillIn(SCENARIOS.program, values);
      const { now } = SCENARIOS;
      const runners = LANGUAGES.filter(({ missing }) => !missing).map(({ name, build }) => ({
        name,
        runner: new RunnerProcess(build()),
      }));
      try {
        for (const { runner } of runners) await runner.run({ do: 'start', now, options });
        const first = runners[0]!.runner;
        await first.run({
          do: 'call',
          now,
          method: 'install',
          argument: SCENARIOS.certificates.week!,
        });
        const file = path.join(folder, fs.readdirSync(folder)[0]!);
        const whole = fs.readFileSync(file, 'utf8');
        const random = new Random(27);
        for (let state = 0; state < STATES; state++) {
          const bytes = changed(whole, random);
          const results: [string, Result][] = [];
          for (const { name, runner } of runners) {
            fs.writeFileSync(file, bytes);
            results.push([name, await runner.run({ do: 'call', now, method: 'status' })]);
          }
          const expected = runners.map(({ name }) => [name, results[0]![1]]);
          expect([bytes.toString('latin1'), results]).toEqual([bytes.toString('latin1'), expected]);
        }
      } finally {
        await Promise.all(runners.map(({ runner }) => runner.stop()));
        fs.rmSync(parent, { recursive: true });
      }
    },
    TIMEOUT_MS,
  );
});
