import 'reflect-metadata';
import { NestFactory } from '@nestjs/core';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AppModule } from './app.module.js';
import { createAdapter, NEST_OPTIONS, setUpApp } from './app.setup.js';
import { announce } from './http/announce.js';
import { limitConnections } from './shared/config/open-files.js';
import { restrictDataFolder } from './shared/config/data-folder.js';
import { loadDotEnv, warnOfLookAlikes } from './shared/config/dot-env.js';
import { loadConfig } from './shared/config/load-config.js';
import { explainStartupFailure } from './shared/errors/startup-error.js';
import { batchedLines, createLogger, nestLogger } from './shared/logging/logger.js';
import { createMetrics } from './metrics/metrics-server.js';

// Ignore EPIPE on stderr, because the reader of the banner may have exited.
process.stderr.on('error', () => undefined);

let app: NestFastifyApplication | undefined;
try {
  loadDotEnv();
  const config = loadConfig(process.env);
  const metrics = await createMetrics(config);
  const logger = createLogger(config, batchedLines(metrics));
  const warnings = [
    ...warnOfLookAlikes(process.env),
    ...(config.mongodbUri ? [] : restrictDataFolder(config.dataDir)),
    ...limitConnections(config.maxConnections).warnings,
  ];
  for (const warning of warnings) logger.warn(warning);
  app = await NestFactory.create<NestFastifyApplication>(
    AppModule.forRoot(config, logger, metrics),
    createAdapter(config, logger, metrics),
    { ...NEST_OPTIONS, logger: false },
  );
  // Attach the logger only now, so a startup failure is reported once, below.
  app.useLogger(nestLogger(logger));
  setUpApp(app);
  app.enableShutdownHooks(['SIGTERM', 'SIGINT', 'SIGHUP'], { useProcessExit: true });
  const { host, port, basePath, maxConnections: backlog } = config;
  await app.listen({ host, port, backlog });
  announce(`${await app.getUrl()}${basePath}`, config, logger, warnings);
} catch (error) {
  process.stderr.write(`${explainStartupFailure(error)}\n`);
  // The process aborts if it exits while a thread reads the store.
  await app?.close();
  process.exit(1);
}
