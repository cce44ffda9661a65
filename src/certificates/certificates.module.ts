import { Module } from '@nestjs/common';
import { Signers } from './signers.service.js';
import { SigningKeysController } from './signing-keys.controller.js';
import { KeyPairs } from './signing-keys/key-pairs.service.js';
import { SigningKeysService } from './signing-keys/signing-keys.service.js';

@Module({
  controllers: [SigningKeysController],
  providers: [KeyPairs, Signers, SigningKeysService],
  exports: [KeyPairs, Signers],
})
export class CertificatesModule {}
