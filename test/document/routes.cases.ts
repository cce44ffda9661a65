import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { AppModule } from '../../src/app.module.js';
import { createAdapter, NEST_OPTIONS, setUpApp } from '../../src/app.setup.js';
import { ConsoleFolder } from '../../src/console-folder.js';
import { loadConfig } from '../../src/shared/config/load-config.js';
import { createLogger } from '../../src/shared/logging/logger.js';
import { nestLogger } from '../../src/shared/logging/nest-logger.js';
import { SECRETS } from '../engines.js';
import { readDocument, routesOf } from './openapi-document.js';

describe('The document', () => {
  const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'license-service-'));
  const registered: string[] = [];
  let nest: NestFastifyApplication;

  beforeAll(async () => {
    const config = loadConfig({ ...SECRETS, DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
    const logger = createLogger(config);
    const adapter = createAdapter(config, logger);
    adapter.getInstance().addHook('onRoute', ({ method, url }) => {
      registered.push(...[method].flat().map((name) => `${name} ${url}`));
    });
    const module = await Test.createTestingModule({ imports: [AppModule.forRoot(config, logger)] })
      .overrideProvider(ConsoleFolder)
      .useValue({ path: path.join(dataDir, 'no console') })
      .setLogger(nestLogger(logger))
      .compile();
    nest = module.createNestApplication<NestFastifyApplication>(adapter, NEST_OPTIONS);
    setUpApp(nest);
    await nest.init();
    await nest.getHttpAdapter().getInstance().ready();
  });
  afterAll(async () => {
    await nest.close();
    fs.rmSync(dataDir, { recursive: true });
  });

  it('has every route of the running application, and no other', () => {
    const routes = registered
      .filter((route) => !route.startsWith('HEAD ') && !/ \/docs\b/.test(route))
      .map((route) => route.replace(/:(\w+)/g, '{$1}'));
    const documented = routesOf(readDocument()).map(({ method, path }) => `${method} ${path}`);
    expect(documented.sort()).toEqual(routes.sort());
  });
});
