import { Module, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyAdapter } from '@nestjs/platform-fastify';
import { serveBrowserApp } from '../http/browser-app.js';
import { AppFolders } from '../app-folders.js';
import { AuthModule } from '../auth/auth.module.js';
import { CertificatesModule } from '../certificates/certificates.module.js';
import { CustomerMailModule } from '../customer-mail/customer-mail.module.js';
import { LicensesModule } from '../licenses/licenses.module.js';
import { MachinesModule } from '../machines/machines.module.js';
import { Config } from '../shared/config/config.js';
import { CustomerController } from './customer.controller.js';
import { CustomerLicenses } from './customer-licenses.service.js';
import { PortalController } from './portal.controller.js';
import { PortalLogins } from './portal-logins.service.js';
import { PortalSessions } from './portal-sessions.service.js';
import { PortalSettingsService } from './portal-settings.service.js';

const PAGE = '/:issuer(^[0-9a-f]{24}$)';

/** The customer portal: its settings, and what it serves on its own host. */
@Module({
  imports: [AuthModule, CertificatesModule, LicensesModule, MachinesModule, CustomerMailModule],
  controllers: [PortalController, CustomerController],
  providers: [PortalSettingsService, PortalSessions, PortalLogins, CustomerLicenses, AppFolders],
  exports: [PortalLogins],
})
export class PortalModule implements OnModuleInit {
  constructor(
    private readonly host: HttpAdapterHost<FastifyAdapter>,
    private readonly folders: AppFolders,
    private readonly config: Config,
  ) {}

  onModuleInit(): void {
    if (this.config.portalUrl === undefined) return;
    serveBrowserApp(this.host.httpAdapter.getInstance(), {
      ...{ name: 'portal', folder: this.folders.portal, assets: '/assets/' },
      ...{ pages: [PAGE, `${PAGE}/sign-in`], config: { isPortal: true } },
    });
  }
}
