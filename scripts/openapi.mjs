// Writes openapi.json to the project root from the built application.
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import { AppModule } from '../build/app.module.js';
import { createAdapter, NEST_OPTIONS } from '../build/app.setup.js';
import { buildOpenApiDocument } from '../build/openapi/build-document.js';
import { loadConfig } from '../build/shared/config/load-config.js';
import { createLogger } from '../build/shared/logging/logger.js';

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'license-service-'));
const config = loadConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'silent' });
const logger = createLogger(config);
const app = await NestFactory.create(
  AppModule.forRoot(config, logger),
  createAdapter(config, logger),
  { ...NEST_OPTIONS, logger: false },
);
fs.writeFileSync('openapi.json', `${JSON.stringify(buildOpenApiDocument(app), null, 2)}\n`);
await app.close();
fs.rmSync(dataDir, { recursive: true });
