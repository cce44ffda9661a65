import { issue } from '../../sdk/vectors/certificates.mjs';
import { Random } from '../random.js';
import { LANGUAGES } from './languages.js';
import { type Result, RunnerProcess } from './runner-process.js';
import { ScriptedService } from './scripted-service.js';
import { judgeVector, VECTORS } from './vector-driver.js';

/** Each is judged by every SDK. A longer run sets `FUZZ_CASES`. */
const CASES = Number(process.env.FUZZ_CASES ?? 1_000);
const TIMEOUT_MS = 1_800_000;
const CHARACTERS = [...'{}[]":,\\/u0123456789.eE+-_ntrfalsNI \n\t\u0000\u00e9\ud800'];

/** Headers and payloads of the vectors, as texts. */
const TEXTS = VECTORS.map(({ certificate }) => certificate.split('.'))
  .filter(({ length }) => length === 3)
  .map((parts) => parts.map((part) => Buffer.from(part, 'base64url').toString()));

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
  const [[header = '', payload = ''], [otherHeader = '', otherPayload = '']] = [
    random.of(TEXTS),
    random.of(TEXTS),
  ];
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
const VALID_HEADER = TEXTS[0]![0]!;

describe('S15: a certificate that is changed at random', () => {
  it(
    `is judged alike by every SDK, in ${CASES} of ${CASES} cases`,
    async () => {
      const runners = LANGUAGES.filter(({ missing }) => !missing).map(({ name, build }) => ({
        name,
        runner: new RunnerProcess(build()),
      }));
      const service = await ScriptedService.start();
      try {
        const random = new Random(15);
        const states = new Set<unknown>();
        for (let index = 0; index < CASES; index += 1) {
          const vector = { ...VALID, certificate: changedCertificate(random) };
          const judge = async ({ runner }: (typeof runners)[number]) =>
            comparable(await judgeVector(runner, service, vector));
          const results = await Promise.all(runners.map(judge));
          const byName = (of: readonly unknown[]) =>
            Object.fromEntries(runners.map(({ name }, language) => [name, of[language]]));
          const expected = byName(runners.map(() => results[0]));
          expect([vector.certificate, byName(results)]).toEqual([vector.certificate, expected]);
          states.add(results[0]!.state);
        }
        expect(states).toContain('valid');
      } finally {
        await Promise.all(runners.map(({ runner }) => runner.stop()));
        await service.stop();
      }
    },
    TIMEOUT_MS,
  );
});
