import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type OnApplicationShutdown,
} from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { explainListenFailure, StartupError } from '../shared/errors/startup-error.js';
import { Metrics, NO_METRICS } from './metrics.js';

const CONTENT_TYPE = 'text/plain; version=0.0.4; charset=utf-8';

/** The metrics of a process. If metrics are off, the library is not loaded and nothing is counted. */
export async function createMetrics({
  metricsPort,
}: Pick<Config, 'metricsPort'>): Promise<Metrics> {
  if (metricsPort === undefined) return NO_METRICS;
  const { PrometheusMetrics } = await import('./prometheus-metrics.js');
  return new PrometheusMetrics();
}

/**
 * Serves the metrics on a separate port, so no proxy of the API exposes them. Requests bypass Fastify and
 * the capacity limits, so they are served even under overload, until the shutdown has finished.
 */
@Injectable()
export class MetricsServer implements OnApplicationBootstrap, OnApplicationShutdown {
  private readonly logger = new Logger(MetricsServer.name);
  private server: Server | undefined;

  constructor(
    private readonly config: Config,
    private readonly metrics: Metrics,
  ) {}

  /** @throws StartupError if it cannot listen on the address */
  async onApplicationBootstrap(): Promise<void> {
    const { metricsPort: port, metricsHost: host } = this.config;
    if (port === undefined) return;
    this.server = createServer((request, response) => {
      void this.respond(request, response);
    });
    try {
      await once(this.server.listen({ host, port }), 'listening');
    } catch (error) {
      const sentence = explainListenFailure(error, 'METRICS_');
      throw sentence === undefined ? error : new StartupError(sentence);
    }
    // A connection that cannot be accepted must not end the process.
    this.server.on('error', ({ message }) => this.logger.warn(message));
  }

  onApplicationShutdown(): void {
    this.server?.close();
    this.server?.closeAllConnections();
  }

  private async respond(
    { method, url = '' }: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    if (method !== 'GET' || url.split('?', 1)[0] !== '/metrics') {
      response.writeHead(404, { Connection: 'close' }).end();
      return;
    }
    try {
      const text = await this.metrics.text();
      response.writeHead(200, { 'Content-Type': CONTENT_TYPE, 'Cache-Control': 'no-store' });
      response.end(text);
    } catch (error) {
      this.logger.error('Collecting metrics failed', (error as Error).stack);
      response.writeHead(500, { Connection: 'close' }).end();
    }
  }
}
