import { createHash } from 'node:crypto';
import fs from 'node:fs';
import { describeIf, run } from './commands.js';
import type { PublicJwk } from '../../sdk/node/src/signing-keys.js';
import { hasPython, installPython } from './python.js';
import { json, ScriptedService } from './scripted-service.js';
import { type Vector, VECTORS } from './vector-driver.js';

jest.setTimeout(600_000);
const page = fs.readFileSync('docs/certificates-on-servers.md', 'utf8');

/** A program that stores nothing cannot judge these, nor those with earlier certificates; those of portability it may accept. */
const NEED_MEMORY: (string | null)[] = ['rejected', 'clock_set_back'];
const vectors = VECTORS.filter(
  ({ expected, earlier, isPortability }) =>
    !earlier && !isPortability && !NEED_MEMORY.includes(expected.reason),
);

/** Vectors by the keys that are built in. */
const groups = [...new Set(vectors.map(({ keys }) => JSON.stringify(keys)))].map((keys) =>
  vectors.filter((vector) => JSON.stringify(vector.keys) === keys),
);

/** Prints the names of the vectors that the program of the page accepts. */
const NODE_MAIN = `
  import { readFileSync } from 'node:fs';
  const accepted = [];
  for (const { name, certificate, fingerprint, now } of JSON.parse(readFileSync(0, 'utf8'))) {
    await verifyCertificate(certificate, fingerprint, now).then(() => accepted.push(name), () => {});
  }
  console.log(JSON.stringify(accepted));
`;
const PYTHON_MAIN = `
import sys
accepted = []
for vector in json.load(sys.stdin):
    try:
        verify_certificate(vector["certificate"], vector["fingerprint"], vector["now"])
        accepted.append(vector["name"])
    except Exception:
        pass
print(json.dumps(accepted))
`;

/** Runs code in a process of its own, with vectors as its input. */
type Interpreter = (code: string, input: string) => Promise<string>;

const node: Interpreter = (code, input) =>
  start(process.execPath, ['--input-type=module', '--eval', code + NODE_MAIN], input);
const python: Interpreter = (code, input) =>
  start(installPython(), ['-c', code + PYTHON_MAIN], input);

async function start(command: string, args: string[], input: string): Promise<string> {
  const running = run(command, args);
  running.child.stdin!.end(input);
  return (await running).stdout;
}

/** Calls `use` with the URL of a service that has these keys for every issuer, and returns the paths of its requests. */
async function withKeys(keys: readonly PublicJwk[], use: (url: string) => Promise<void>) {
  const service = await ScriptedService.start(json(200, { keys: keys.map(published) }));
  try {
    await use(service.url);
    return service.paths;
  } finally {
    await service.stop();
  }
}

function published({ kty, crv, x }: PublicJwk) {
  const kid = createHash('sha256').update(JSON.stringify({ crv, kty, x })).digest('base64url');
  return { kty, crv, x, kid, alg: 'EdDSA', use: 'sig' };
}

/** The program of the page in this language, for this service. */
function programOf(language: string, service: string): string {
  const [, program] = page.split(`\`\`\`${language}\n`);
  const code = program!.slice(0, program!.indexOf('\n```\n') + 1);
  for (const text of [vectors[0]!.issuer, vectors[0]!.product]) expect(code).toContain(text);
  return code.replace('https://licenses.example', service);
}

const LANGUAGES = [
  ['jose', 'js', node, describe],
  ['PyJWT', 'python', python, describeIf(hasPython)],
] as const;

for (const [library, language, interpreter, describeProgram] of LANGUAGES) {
  describeProgram(`S15: the program with ${library}`, () => {
    /** The names of the vectors that it accepts from a service with these keys. */
    async function acceptedOf(tried: readonly Vector[], keys: readonly PublicJwk[]) {
      let names: string[] = [];
      const paths = await withKeys(keys, async (url) => {
        const code = programOf(language, url);
        names = JSON.parse(await interpreter(code, JSON.stringify(tried))) as string[];
      });
      return { names, paths };
    }

    it('accepts every valid vector and rejects every other, and fetches the keys once', async () => {
      for (const group of groups) {
        const valid = group.filter(({ expected }) => expected.state === 'valid');
        expect(await acceptedOf(group, group[0]!.keys)).toEqual({
          names: valid.map(({ name }) => name),
          paths: [`/keys/${group[0]!.issuer}`],
        });
      }
    });

    it('accepts nothing while the service has no keys of the issuer', async () => {
      expect((await acceptedOf(vectors, [])).names).toEqual([]);
    });
  });
}
