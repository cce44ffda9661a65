import { Module } from '@nestjs/common';
import { LicensesModule } from '../licenses/licenses.module.js';
import { SearchController } from './search.controller.js';
import { SearchService } from './search.service.js';

@Module({
  imports: [LicensesModule],
  controllers: [SearchController],
  providers: [SearchService],
})
export class SearchModule {}
