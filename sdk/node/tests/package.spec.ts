import fs from 'node:fs';
import path from 'node:path';
import { readmeOf, run } from '../../../test/sdk/commands.js';
import { itIsLicensed } from '../../../test/sdk/readme-program.js';
import { useFolder } from '../../../test/use-folder.js';

const PACKAGE = path.resolve('sdk/node');
const NAME = 'license-management-client';

/** The folder of a program that installed the package. */
const consumer = useFolder();
beforeEach(() => {
  fs.mkdirSync(consumer('node_modules'));
  fs.symlinkSync(PACKAGE, consumer('node_modules', NAME));
});

describe('the package', () => {
  it('contains the built program, its types, the README and the license, and nothing else', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: PACKAGE,
    });
    const [{ files }] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const modules = fs
      .readdirSync(path.join(PACKAGE, 'src'))
      .map((file) => file.replace(/\.ts$/, ''));
    const built = ['dist', 'dist/cjs'].flatMap((folder) =>
      modules.flatMap((name) => [`${folder}/${name}.js`, `${folder}/${name}.d.ts`]),
    );
    expect(files.map((file) => file.path).sort()).toEqual(
      ['LICENSE', 'README.md', 'package.json', 'dist/cjs/package.json', ...built].sort(),
    );
  });

  const [, commands] = /```sh\n(mkdir[^`]+)```/.exec(readmeOf('node'))!;

  it.each([10, 11])(
    "is built and installed by the README's commands with npm %d, which leave the checkout unchanged",
    async (version) => {
      const npm = consumer('npm');
      const installed = (await run('npm', ['--version'])).stdout;
      if (Number.parseInt(installed) !== version) {
        await run('npm', ['install', '--silent', '--prefix', npm, `npm@${version}`]);
      }
      // Works on a copy, because other tests read the original at the same time.
      const checkout = consumer('checkout');
      const isSource = (file: string) => file !== path.join(PACKAGE, 'dist');
      fs.cpSync(PACKAGE, path.join(checkout, 'sdk/node'), { recursive: true, filter: isSource });
      const files = ['package.json', 'package-lock.json', '.npmrc'];
      for (const name of files) fs.copyFileSync(name, path.join(checkout, name));
      fs.symlinkSync(path.resolve('node_modules'), path.join(checkout, 'node_modules'));
      const app = consumer('web-shop');
      const PATH = `${npm}/node_modules/.bin:${process.env.PATH}`;
      const all = () => fs.readdirSync(checkout, { recursive: true }).sort();
      const before = all();
      await run('sh', ['-euc', commands!.replaceAll('~/web-shop', app)], {
        cwd: checkout,
        env: { ...process.env, PATH },
      });
      const isBuilt = (file: string | Buffer) => file.includes('dist');
      expect(all().filter((file) => !isBuilt(file))).toEqual(
        before.filter((file) => !isBuilt(file)),
      );
      for (const name of files) {
        expect(fs.readFileSync(path.join(checkout, name))).toEqual(fs.readFileSync(name));
      }
      const script = `import { License } from '${NAME}'; console.log(License.name);`;
      const args = ['--input-type=module', '--eval', script];
      expect((await run(process.execPath, args, { cwd: app })).stdout).toBe('License\n');
    },
  );

  it("has no dependencies, and imports only Node's own modules", () => {
    const manifest = fs.readFileSync(path.join(PACKAGE, 'package.json'), 'utf8');
    expect(manifest).not.toMatch(/dependencies"/i);
    const dist = path.join(PACKAGE, 'dist');
    for (const file of fs.readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(js|d\.ts)$/.test(file)) continue;
      const text = fs.readFileSync(path.join(dist, file), 'utf8');
      for (const [, name] of text.matchAll(/(?: from |require\()['"]([^'"]+)['"]/g)) {
        expect(name).toMatch(/^(node:[a-z_]+|\.\/[a-z-]+\.js)$/);
      }
    }
  });

  it.each([
    ['module', 'nodenext'],
    ['commonjs', 'node16'],
  ])(
    'has types that compile in a program of type %s without other types, and hide the test clock',
    async (type, module) => {
      const folder = consumer(type);
      const compilerOptions = {
        ...{ module, target: 'es2022', lib: ['es2022'], types: [] },
        ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true },
      };
      const program = `
        import { License, LicenseError } from '${NAME}';
        import type { LicenseErrorCode, LicenseOptions } from '${NAME}';
        import type { PublicJwk, Reason, State, Status } from '${NAME}';

        const keys: PublicJwk[] = [{ kty: 'OKP', crv: 'Ed25519', x: '' }];
        const [service, issuer, product, folder] = ['', '', '', ''];
        export const options: LicenseOptions = { service, issuer, product, keys, folder };
        export const { state, reason }: { state: State; reason: Reason | null } = new License(options).status() satisfies Status;
        export const code: LicenseErrorCode = new LicenseError('option', '').code;
        // @ts-expect-error
        export const license = new License({ ...options, now: () => 0 });
      `;
      fs.mkdirSync(folder);
      const write = (name: string, text: string) => fs.writeFileSync(path.join(folder, name), text);
      write('package.json', JSON.stringify({ type }));
      write('program.ts', program);
      write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['program.ts'] }));
      const tsc = path.resolve('node_modules/typescript/bin/tsc');
      const { stdout } = await run(process.execPath, [tsc], { cwd: folder });
      expect(stdout).toBe('');
    },
  );

  it.each([
    ['module', `import * as sdk from '${NAME}';`],
    ['commonjs', `const sdk = require('${NAME}');`],
  ])('is loaded by a program of type %s', async (type, script) => {
    const args = [
      `--input-type=${type}`,
      '--eval',
      `${script} console.log(Object.keys(sdk).join())`,
    ];
    const { stdout } = await run(process.execPath, args, { cwd: consumer() });
    expect(stdout).toBe('License,LicenseError\n');
  });

  itIsLicensed('node', (_folder, text) => {
    const file = consumer('web-shop.mjs');
    fs.writeFileSync(file, text);
    return [process.execPath, file];
  });
});
