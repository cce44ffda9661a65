import { ApiProperty } from '@nestjs/swagger';

/** Answer of the health checks where all is well. */
export class HealthResponse {
  @ApiProperty({ description: 'Always `ok`', type: String, example: 'ok' })
  status!: 'ok';
}
