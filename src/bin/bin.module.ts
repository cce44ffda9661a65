import { Module } from '@nestjs/common';
import { Bin } from './bin.service.js';

/** The bin, for features that delete records. */
@Module({ providers: [Bin], exports: [Bin] })
export class BinModule {}
