import fs from 'node:fs';
import path from 'node:path';
import { describeIf, run } from './commands.js';
import { useFolder } from '../use-folder.js';
import { javaClasses, hasJava } from './java.js';
import { itIsLicensed } from './readme-program.js';

const SDK = path.resolve('sdk/java');
jest.setTimeout(600_000);

describeIf(hasJava)('The Java SDK', () => {
  const folder = useFolder();

  it('passes its own tests, seeded mutations of certificates too, and skips none', async () => {
    // A copy, so that no build gets into the checkout.
    for (const name of ['pom.xml', 'src']) {
      fs.cpSync(path.join(SDK, name), folder('java', name), { recursive: true });
    }
    fs.copyFileSync('sdk/vectors.json', folder('vectors.json'));
    const args = ['-B', '-Dstyle.color=never', 'test'];
    const { stdout } = await run('mvn', args, { cwd: folder('java') });
    expect(stdout).toMatch(/Tests run: \d{3}, Failures: 0, Errors: 0, Skipped: 0\n/);
  });

  describe('the program of its README', () => {
    itIsLicensed('java', (source, text) => {
      const file = path.join(source, 'WebShop.java');
      fs.writeFileSync(file, text);
      return ['java', '-cp', javaClasses(), file];
    });
  });
});
