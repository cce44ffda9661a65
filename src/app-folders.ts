import path from 'node:path';
import { Injectable } from '@nestjs/common';

/** The folders of the built browser apps. Compiled and bundled, this file is one level below the root of the project. */
@Injectable()
export class AppFolders {
  readonly console: string = path.join(import.meta.dirname, '../dist/console-app');
  readonly portal: string = path.join(import.meta.dirname, '../dist/portal-app');
}
