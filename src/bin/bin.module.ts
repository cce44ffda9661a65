import { Module } from '@nestjs/common';
import { Bin } from './bin.service.js';

/** The bin, for what deletes. */
@Module({ providers: [Bin], exports: [Bin] })
export class BinModule {}
