import path from 'node:path';
import { Injectable } from '@nestjs/common';

/**
 * The folder of the built console. Whether compiled or bundled, this file is one level below the root of
 * the project.
 */
@Injectable()
export class ConsoleFolder {
  readonly path: string = path.join(import.meta.dirname, '../dist/console-app');
}
