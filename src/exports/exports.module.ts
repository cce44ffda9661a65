import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { Exports } from './exports.js';

@Module({ imports: [AuthModule], providers: [Exports], exports: [Exports] })
export class ExportsModule {}
