// Writes docs/guides/error-codes.md from the built error table.
import fs from 'node:fs';
import { ERRORS } from '../build/shared/errors/error-codes.js';
import { errorPage } from './error-page.mjs';

fs.writeFileSync('docs/guides/error-codes.md', errorPage(ERRORS));
