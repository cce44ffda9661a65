// Says that the modules in dist/cjs are CommonJS, which those of the package are not.
import fs from 'node:fs';

fs.writeFileSync(new URL('dist/cjs/package.json', import.meta.url), '{ "type": "commonjs" }\n');
