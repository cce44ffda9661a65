import { ApiProperty } from '@nestjs/swagger';
import { AccessTokenResponse, UserDto } from '../../auth/dto/tokens.response.js';

export class ConsoleSessionResponse extends AccessTokenResponse {
  @ApiProperty({ description: 'What has happened', example: 'Logged in' })
  override message!: string;

  @ApiProperty({ description: 'The account', type: UserDto })
  user!: UserDto;
}
