import { ApiProperty } from '@nestjs/swagger';

/** Response of GET /auth/registration. */
export class RegistrationResponse {
  @ApiProperty({ description: 'Whether POST /auth/register creates accounts', example: true })
  open!: boolean;
}
