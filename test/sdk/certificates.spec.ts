import fs from 'node:fs';
import type { PublicJwk } from '../../sdk/node/src/signing-keys.js';
import { thumbprint } from '../../sdk/vectors/certificates.mjs';
import { run } from './commands.js';
import { hasPython, installPython } from './python.js';
import { json, useScriptedService } from './scripted-service.js';
import { VECTORS } from './vector-driver.js';

jest.setTimeout(600_000);
const page = fs.readFileSync('docs/guides/certificates-on-servers.md', 'utf8');

/**
 * A program without state and release date cannot judge these, nor vectors with earlier certificates; it may accept the vectors of
 * portability.
 */
const NEED_MEMORY: (string | null)[] = ['rejected', 'clock_set_back', 'updates_ended'];
const vectors = VECTORS.filter(
  ({ expected, earlier, isPortability }) =>
    !earlier && !isPortability && !NEED_MEMORY.includes(expected.reason),
);

/** Vectors, grouped by their built-in keys. */
const groups = [...new Set(vectors.map(({ keys }) => JSON.stringify(keys)))].map((keys) =>
  vectors.filter((vector) => JSON.stringify(vector.keys) === keys),
);

/** Prints the names of the vectors that the page's program accepts. */
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

/** The page's program in this language, for this service. */
function programOf(language: string, service: string): string {
  const [, program] = page.split(`\`\`\`${language}\n`);
  const code = program!.slice(0, program!.indexOf('\n```\n') + 1);
  for (const text of [vectors[0]!.issuer, vectors[0]!.product]) expect(code).toContain(text);
  return code.replace('https://licenses.example', service);
}

const published = ({ kty, crv, x }: PublicJwk) => ({
  ...{ kty, crv, x, kid: thumbprint({ kty, crv, x }), alg: 'EdDSA', use: 'sig' },
});

const LANGUAGES = [
  ['jose', 'js', NODE_MAIN, () => [process.execPath, '--input-type=module', '--eval'], it],
  ['PyJWT', 'python', PYTHON_MAIN, () => [installPython(), '-c'], hasPython ? it : it.skip],
] as const;

describe('S15: the program', () => {
  const service = useScriptedService();

  for (const [library, language, main, interpreter, declare] of LANGUAGES) {
    declare(
      `with ${library} accepts every valid vector and rejects every other, and fetches the keys once`,
      async () => {
        for (const group of groups) {
          const { keys, issuer } = group[0]!;
          service.script(json(200, { keys: keys.map(published) }));
          const first = service.asked.length;
          const [command, ...args] = interpreter();
          const running = run(command!, [...args, programOf(language, service.url) + main]);
          running.child.stdin!.end(JSON.stringify(group));
          const valid = group.filter(({ expected }) => expected.state === 'valid');
          expect(JSON.parse((await running).stdout)).toEqual(valid.map(({ name }) => name));
          expect(service.paths.slice(first)).toEqual([`/keys/${issuer}`]);
        }
      },
    );
  }
});
