import { explainStartupFailure } from './shared/errors/startup-error.js';
import { VERSION } from './shared/version.js';

if (process.argv.includes('--version')) {
  process.stdout.write(`${VERSION}\n`);
  process.exit(0);
}

try {
  // Not a static import, whose missing packages nobody could explain.
  await import('./serve.js');
} catch (error) {
  process.stderr.write(`${explainStartupFailure(error)}\n`);
  process.exit(1);
}
