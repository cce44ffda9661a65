import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { PortalModule } from '../portal/portal.module.js';
import { LinkRequests } from './link-requests.job.js';

/** The worker that mails links of every kind. */
@Module({ imports: [AuthModule, PortalModule], providers: [LinkRequests] })
export class LinksModule {}
