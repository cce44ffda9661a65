import path from 'node:path';
import { Injectable } from '@nestjs/common';

/**
 * The folder of the built portal. Whether compiled or bundled, this file is one level below the root of the
 * project.
 */
@Injectable()
export class PortalFolder {
  readonly path: string = path.join(import.meta.dirname, '../dist/portal-app');
}
