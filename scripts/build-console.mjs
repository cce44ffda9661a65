// Builds the web console into dist/console-app and the customer portal into dist/portal-app, and generates its sources from the API document.
import fs from 'node:fs';
import path from 'node:path';
import openapiTS, { astToString } from 'openapi-typescript';
import * as vite from 'vite';
import { inputsModule } from '../console/generate-inputs.mjs';

/** The types of the API, generated from its document. */
const TYPES = path.join('console', 'src', 'api', 'schema.d.ts');
/** The attributes of inputs, generated from the API document. */
const INPUTS = path.join('console', 'src', 'api', 'inputs.ts');

export async function build() {
  // A test runner sets another value, which would bundle the development build of React.
  process.env.NODE_ENV = 'production';
  const document = JSON.parse(fs.readFileSync('openapi.json', 'utf8'));
  fs.writeFileSync(TYPES, astToString(await openapiTS(document)));
  fs.writeFileSync(INPUTS, inputsModule(document));
  for (const root of ['console', path.join('console', 'portal')]) {
    await vite.build({ root, logLevel: 'warn' });
  }
}
