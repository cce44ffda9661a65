import { ApiProperty } from '@nestjs/swagger';
import { AccessTokenResponse, UserDto } from '../../auth/dto/tokens.response.js';

export class ConsoleSessionResponse extends AccessTokenResponse {
  @ApiProperty({ description: 'What happened', example: 'Logged in' })
  override message!: string;

  @ApiProperty({ description: 'The logged-in member', type: UserDto })
  user!: UserDto;
}
