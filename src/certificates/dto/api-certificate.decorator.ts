import { ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';

const EXAMPLE =
  'eyJhbGciOiJFZERTQSIsInR5cCI6ImxpY2Vuc2Urand0Iiwia2lkIjoiTDhfVk52QkU5SV9RdkhTbnB3SEl0cUxFMXUyaUtZ' +
  'WUwwX2xNeE11QXNWdyJ9.eyJpc3MiOiI2NjVmMWMyYWI3ZTRhOTAwMTIzNDU2NzgiLCJhdWQiOiJjb20uZXhhbXBsZS53ZWI' +
  'tc2hvcCIsInN1YiI6IjY2NWYxYzJhYjdlNGE5MDAxMjM0NTY3OSIsImp0aSI6IjBiMGUyZDM0LTlkNmMtNGI3MS1hMGY1LTZ' +
  'mMGQ5ZTViMWM1NSIsImlhdCI6MTc2OTg1NDUwMCwiZXhwIjoxNzcwNDU5MzAwLCJtYWNoaW5lIjoiNzlQN2VUaEJIQUJ1dVE' +
  'ySXNVUjNTMGN5cTRxTGpGRTdYVlNPdnJyYnEyVSIsImxpY2Vuc2UiOnsiZXhwaXJlc0F0IjoiMjAyNi0wNy0zMVQxMDoxNTo' +
  'wMC4wMDBaIiwiYWN0aXZhdGVkQXQiOiIyMDI2LTAxLTMxVDEwOjE1OjAwLjAwMFoiLCJkdXJhdGlvbiI6Niwic2VydmljZXM' +
  'iOlsiSG9zdGluZyJdfX0.XYfGgF86VTwEqXdYSubbrzrT_ElY3vNssCg4wO_1b6Cbl2-U7AoVTCVF4H7vW6NRX92WX4Gz-zX' +
  'sZjudVBLqDQ';

const COMPACT_JWS = {
  type: String,
  maxLength: 4096,
  pattern: '^[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+\\.[A-Za-z0-9_-]+$',
} as const;

export const ApiCertificate = (description: string, { required = true } = {}) =>
  ApiProperty({ description, ...COMPACT_JWS, required, example: EXAMPLE });

export const ApiRejection = () =>
  ApiPropertyOptional({
    description:
      'Signed proof that the license must not be used on this machine. Present if you requested a certificate with a `nonce`.',
    ...COMPACT_JWS,
  });
