import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { AppFolders } from '../app-folders.js';
import { AuthModule } from '../auth/auth.module.js';
import { Config } from '../shared/config/config.js';
import { serveConsole } from './serve-console.js';
import { SessionController } from './session.controller.js';

/** The web console: static files, and the routes of its session. It does everything else through the API. */
@Module({ imports: [AuthModule], controllers: [SessionController], providers: [AppFolders] })
export class ConsoleModule implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost<FastifyAdapter>,
    private readonly folders: AppFolders,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    serveConsole(this.host.httpAdapter.getInstance(), this.folders.console, this.config);
  }
}
