import { Injectable, type PipeTransform } from '@nestjs/common';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import type { LicenseKeyDto } from './dto/license-key.dto.js';

/** Rejects a body without a fingerprint where REQUIRE_FINGERPRINT is set. */
@Injectable()
export class RequireFingerprintPipe implements PipeTransform<LicenseKeyDto, LicenseKeyDto> {
  constructor(private readonly config: Config) {}

  transform(body: LicenseKeyDto): LicenseKeyDto {
    if (this.config.requireFingerprint && !body.fingerprint) {
      throw new DomainError('FINGERPRINT_REQUIRED');
    }
    return body;
  }
}
