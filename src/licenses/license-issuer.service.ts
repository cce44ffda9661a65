import { Injectable } from '@nestjs/common';
import { newObjectId } from '../shared/ids/object-id.js';
import { issueLicense, type License, type LicenseOrigin, type LicenseTerms } from './license.js';
import { LicenseKeyService } from './license-key.service.js';

// Keys have 62 random bits: repeated collisions have another cause.
const KEY_ATTEMPTS = 3;

type Issue = LicenseTerms & Pick<License, LicenseOrigin>;

/** Issues licenses, each with a unique key. */
@Injectable()
export class LicenseIssuer {
  constructor(private readonly keys: LicenseKeyService) {}

  /**
   * @param store stores the license, or returns `key_collision` to be called again with a new key
   * @returns the result of `store`
   */
  async issue<T>(
    issue: Issue,
    now: Date,
    store: (license: License) => Promise<T | 'key_collision'>,
  ): Promise<T> {
    for (let attempt = 1; attempt <= KEY_ATTEMPTS; attempt++) {
      const stored = await store(this.make(issue, now));
      if (stored !== 'key_collision') return stored;
    }
    throw new Error(`No unique license key in ${KEY_ATTEMPTS} attempts`);
  }

  private make(
    { duration, services, user, client, project, product, replaces }: Issue,
    now: Date,
  ): License {
    const _id = newObjectId();
    const { keyHash, sealedKey } = this.keys.store(this.keys.generate(project), _id);
    const origin = { user, client, project, product, replaces };
    return issueLicense({ _id, keyHash, sealedKey, duration, services, ...origin }, now);
  }
}
