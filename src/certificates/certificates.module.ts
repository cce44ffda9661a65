import { Module } from '@nestjs/common';
import { AuthModule } from '../auth/auth.module.js';
import { Signers } from './signers.service.js';
import { SigningKeysController } from './signing-keys.controller.js';
import { AccountKeys } from './signing-keys/account-keys.service.js';
import { KeyPairs } from './signing-keys/key-pairs.service.js';
import { SigningKeysService } from './signing-keys/signing-keys.service.js';

@Module({
  imports: [AuthModule],
  controllers: [SigningKeysController],
  providers: [KeyPairs, AccountKeys, Signers, SigningKeysService],
  exports: [Signers],
})
export class CertificatesModule {}
