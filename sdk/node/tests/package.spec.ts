import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { run } from '../../../test/sdk/commands.js';
import { itIsLicensed } from '../../../test/sdk/readme-program.js';

const PACKAGE = path.resolve('sdk/node');

/** The folder of a program that has installed the package. */
let consumer: string;
beforeAll(() => {
  consumer = fs.mkdtempSync(path.join(os.tmpdir(), 'license-consumer-'));
  fs.mkdirSync(path.join(consumer, 'node_modules'));
  fs.symlinkSync(PACKAGE, path.join(consumer, 'node_modules', 'license-management-client'));
  fs.writeFileSync(path.join(consumer, 'package.json'), '{ "type": "module" }');
});
afterAll(() => fs.rmSync(consumer, { recursive: true }));

describe('the package', () => {
  it('contains the built program, its types, the README and the license, and nothing else', async () => {
    const { stdout } = await run('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
      cwd: PACKAGE,
    });
    const [packed] = JSON.parse(stdout) as [{ files: { path: string }[] }];
    const files = packed.files.map((file) => file.path);
    const modules = fs
      .readdirSync(path.join(PACKAGE, 'src'))
      .map((file) => file.replace(/\.ts$/, ''));
    expect(files.sort()).toEqual(
      [
        ...['LICENSE', 'README.md', 'package.json'],
        'dist/cjs/package.json',
        ...['dist', 'dist/cjs'].flatMap((folder) =>
          modules.flatMap((name) => [`${folder}/${name}.js`, `${folder}/${name}.d.ts`]),
        ),
      ].sort(),
    );
  });

  it('depends on nothing, and imports only what Node has', () => {
    const manifest = JSON.parse(
      fs.readFileSync(path.join(PACKAGE, 'package.json'), 'utf8'),
    ) as object;
    for (const kind of ['dependencies', 'peerDependencies', 'optionalDependencies']) {
      expect(manifest).not.toHaveProperty(kind);
    }
    const dist = path.join(PACKAGE, 'dist');
    for (const file of fs.readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
      if (!/\.(js|d\.ts)$/.test(file)) continue;
      const text = fs.readFileSync(path.join(dist, file), 'utf8');
      const found = text.matchAll(/(?: from |require\()['"]([^'"]+)['"]/g);
      const imported = [...found].map(([, name]) => name);
      for (const name of imported) expect(name).toMatch(/^(node:[a-z_]+|\.\/[a-z-]+\.js)$/);
    }
  });

  it('has types that compile without other types, and hide the clock of its tests', async () => {
    const compilerOptions = {
      ...{ module: 'nodenext', target: 'es2022', lib: ['es2022'], types: [] },
      ...{ strict: true, exactOptionalPropertyTypes: true, noEmit: true },
    };
    const program = `
      import { License, LicenseError } from 'license-management-client';
      import type { LicenseErrorCode, LicenseOptions } from 'license-management-client';
      import type { PublicJwk, Reason, State, Status } from 'license-management-client';

      const keys: PublicJwk[] = [{ kty: 'OKP', crv: 'Ed25519', x: '' }];
      const [service, issuer, product, folder] = ['', '', '', ''];
      export const options: LicenseOptions = { service, issuer, product, keys, folder };
      export const { state, reason }: { state: State; reason: Reason | null } = new License(options).status() satisfies Status;
      export const code: LicenseErrorCode = new LicenseError('option', '').code;
      // @ts-expect-error
      export const license = new License({ ...options, now: () => 0 });
    `;
    const config = JSON.stringify({ compilerOptions, files: ['program.ts'] });
    fs.writeFileSync(path.join(consumer, 'tsconfig.json'), config);
    fs.writeFileSync(path.join(consumer, 'program.ts'), program);
    // As a CommonJS program sees it.
    const old = { ...compilerOptions, module: 'node16', moduleResolution: 'node16' };
    const common = path.join(consumer, 'common');
    fs.mkdirSync(common);
    fs.writeFileSync(path.join(common, 'package.json'), '{ "type": "commonjs" }');
    fs.writeFileSync(path.join(common, 'program.ts'), program);
    fs.writeFileSync(
      path.join(common, 'tsconfig.json'),
      JSON.stringify({ compilerOptions: old, files: ['program.ts'] }),
    );
    const tsc = path.resolve('node_modules/typescript/bin/tsc');
    for (const cwd of [consumer, common]) {
      await expect(run(process.execPath, [tsc], { cwd })).resolves.toMatchObject({ stdout: '' });
    }
  });

  it('is imported and required, by programs of either kind', async () => {
    const print = 'console.log(Object.keys(sdk).join());';
    const start = (type: string, script: string) =>
      run(process.execPath, [`--input-type=${type}`, '--eval', script + print], { cwd: consumer });
    const name = 'license-management-client';
    for (const started of [
      start('module', `import * as sdk from '${name}';`),
      start('commonjs', `const sdk = require('${name}');`),
    ]) {
      expect((await started).stdout).toBe('License,LicenseError\n');
    }
  });
});

describe("the README's program", () => {
  itIsLicensed('node', (_folder, text) => {
    const file = path.join(consumer, 'web-shop.mjs');
    fs.writeFileSync(file, text);
    return [process.execPath, file];
  });
});
