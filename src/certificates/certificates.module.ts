import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { SigningKeysController } from './signing-keys.controller.js';
import { KeyPairs } from './signing-keys/key-pairs.service.js';
import { SigningKeysService } from './signing-keys/signing-keys.service.js';

@Module({
  imports: [AuthModule],
  controllers: [SigningKeysController],
  providers: [KeyPairs, SigningKeysService],
  exports: [SigningKeysService],
})
export class CertificatesModule {}
