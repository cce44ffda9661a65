// Marks the modules in dist/cjs as CommonJS; the package's other modules are not.
import fs from 'node:fs';

fs.writeFileSync(new URL('dist/cjs/package.json', import.meta.url), '{ "type": "commonjs" }\n');
