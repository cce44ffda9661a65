import { ApiProperty } from '@nestjs/swagger';

export class RegistrationResponse {
  @ApiProperty({ description: 'Whether POST /auth/register creates accounts', example: true })
  open!: boolean;
}
