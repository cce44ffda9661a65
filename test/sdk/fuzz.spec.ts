import { issue } from '../../sdk/vectors/certificates.mjs';
import { Random } from '../random.js';
import { newFolder, NOWHERE } from './customer.js';
import { LANGUAGES } from './languages.js';
import { type Result, type RunnerProcess, useRunner } from './runner-process.js';
import { fillIn, SCENARIOS } from './scenario.js';
import { useScriptedService } from './scripted-service.js';
import { judgeVector, VECTORS } from './vector-driver.js';

/** Certificates, each judged by every SDK; the scenarios have the state files. A longer run sets `FUZZ_CASES`. */
const CASES = Number(process.env.FUZZ_CASES ?? 300);
jest.setTimeout(1_800_000);
const CHARACTERS = [...'{}[]":,\\/u0123456789.eE+-_ntrfalsNI \n\t\u0000\u00e9\ud800'];

/** Headers and payloads of the vectors, as texts. */
const TEXTS = VECTORS.map(({ certificate }) => certificate.split('.'))
  .filter(({ length }) => length === 3)
  .map((parts) => parts.map((part) => Buffer.from(part, 'base64url').toString()))
  .map(([header, payload]) => [header!, payload!] as const);

/** A text with some changes: other characters, a part of another text, what is left out or repeated. */
function changed(text: string, other: string, random: Random): string {
  let result = text;
  for (let changes = random.between(1, 3); changes > 0; changes -= 1) {
    const at = random.between(0, result.length);
    const end = at + random.between(0, 8);
    const [before, part, after] = [result.slice(0, at), result.slice(at, end), result.slice(end)];
    const from = random.between(0, other.length);
    const added = random.of([
      ...[random.of(CHARACTERS) + part, '', part + part, `${part},${part}`],
      other.slice(from, from + random.between(0, 40)) + part,
    ]);
    result = before + added + after;
  }
  return result;
}

/** Go has no date but the zero value for an end in the first second of the year 1: only those of valid certificates are compared. */
function comparable({ returns, throws }: Result) {
  const { state, until, ...status } = returns as { state: string; until: string | null };
  return { throws, state, ...status, ...(state === 'valid' && { until }) };
}

/** A certificate that is changed before it is signed, or after. */
function changedCertificate(random: Random): string {
  const [header, payload] = random.of(TEXTS);
  const [otherHeader, otherPayload] = random.of(TEXTS);
  switch (random.between(0, 3)) {
    case 0:
      return changed(issue({ header, payload }), issue({ header, payload: otherPayload }), random);
    case 1:
      return issue({ header: changed(header, otherHeader, random), payload });
    default:
      return issue({ header: VALID_HEADER, payload: changed(payload, otherPayload, random) });
  }
}

const [VALID] = VECTORS as [(typeof VECTORS)[number]];
const VALID_HEADER = TEXTS[0]![0];

const runners = LANGUAGES.filter(({ missing }) => !missing).map(({ name, build }) => ({
  name,
  runner: useRunner(build),
}));
const service = useScriptedService();

/** Has each SDK judge an input, expects the result of the first one from all, and returns it. */
async function judgedAlike<Value>(
  input: string,
  judge: (runner: RunnerProcess) => Promise<Value>,
): Promise<Value> {
  const results: Record<string, Value> = {};
  for (const { name, runner } of runners) results[name] = await judge(runner());
  const [first] = Object.values(results);
  const alike = Object.fromEntries(runners.map(({ name }) => [name, first]));
  expect([input, results]).toEqual([input, alike]);
  return first!;
}

it(`S15: a certificate that is changed at random is judged alike by every SDK, in ${CASES} of ${CASES} cases`, async () => {
  const random = new Random(15);
  const states = new Set<unknown>();
  for (let index = 0; index < CASES; index += 1) {
    const vector = { ...VALID, certificate: changedCertificate(random) };
    const { state } = await judgedAlike(vector.certificate, async (runner) =>
      comparable(await judgeVector(runner, service, vector)),
    );
    states.add(state);
  }
  expect(states).toContain('valid');
});

it('the fingerprint of this machine is derived alike by every SDK', async () => {
  const values = { service: NOWHERE, folder: newFolder() };
  const { now, program } = SCENARIOS;
  const options = { ...fillIn(program, values), fingerprint: undefined };
  const { returns } = await judgedAlike('request', async (runner) => {
    await runner.start(now, options);
    return runner.call(now, 'request');
  });
  expect(returns).toContain('fingerprint');
});
