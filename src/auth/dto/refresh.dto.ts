import { ApiProperty } from '@nestjs/swagger';
import { IsNotEmpty, IsString } from 'class-validator';

/** Body of POST /auth/refresh and POST /auth/logout. */
export class RefreshDto {
  @ApiProperty({
    description: 'The latest refresh token of the session',
    example: 'kZ0vKX3Yb0m4o6T2Qw8nHc5sJr1uLd9eAfGgBhViPxE',
    minLength: 1,
  })
  @IsString()
  @IsNotEmpty()
  refreshToken!: string;
}
