import { createHmac, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { Config } from '../shared/config/config.js';
import { DomainError } from '../shared/errors/domain-error.js';
import { newRecord } from '../shared/ids.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { open, seal } from '../shared/sealing/sealing.js';
import { exactKey, isShortened, lookupForm, lookupForms } from './license-key-form.js';
import {
  issueLicense,
  type License,
  type LicenseOrigin,
  type LicenseTerms,
  type StoredKey,
} from './license.js';

/** Crockford's base32: without I, L, O and U, which people mistake for digits or read as words. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
/** Maximum number of cached keyed hashes, about 200 bytes each; longer keys are not cached. */
const MAX_CACHED = 20_000;
const MAX_CACHED_LENGTH = 100;

/** The information contained in a license key. */
export interface KeyFacts {
  readonly keyHash: string;
  /** The project in a key of our shape, which is the license's project unless it was imported; null for other keys. */
  readonly project: string | null;
}

/** A license key as shown to callers who may not use it: only its last four characters. */
export const maskedKey = ({ keyHint }: Pick<License, 'keyHint'>): string => `•••• ${keyHint}`;

/** The rejection of a text that is not the key of any license. */
export const unknownKey = (text: string): DomainError =>
  new DomainError(
    'LICENSE_NOT_FOUND',
    isShortened(text) ? { details: 'This is not a complete license key.' } : {},
  );

/** Issues licenses, each with a new key. Looks license keys up and converts them to and from their stored forms. */
@Injectable()
export class LicenseKeyService {
  /** Cached, because shipped software sends the same keys repeatedly. */
  private readonly hashes = new LRUCache<string, string>({
    max: MAX_CACHED,
    memoMethod: (key) => this.computeHash(key),
  });

  constructor(
    private readonly config: Config,
    private readonly dataKeys: DataKeys,
  ) {}

  /** A license to be stored. Its key is random. In the rare case that another license has it, the insertion fails. */
  issue(terms: LicenseTerms & LicenseOrigin, now: Date): License {
    return issueLicense({ ...terms, ...this.newKey(terms.project) }, now);
  }

  /** A license to store that replaces another one, identical except for its new key. */
  replace(license: License, now: Date): License {
    return { ...license, ...this.newKey(license.project), createdAt: now, updatedAt: now };
  }

  /** A license to be stored that keeps its key from another product. */
  issueWithKey(key: string, terms: LicenseTerms & LicenseOrigin, now: Date): License {
    const record = newRecord();
    return issueLicense({ ...terms, ...record, ...this.store(key, record._id) }, now);
  }

  private newKey(project: string) {
    const record = newRecord();
    return { ...record, ...this.store(this.generate(project), record._id) };
  }

  /**
   * A new key of the form `<KEY_PREFIX>-<project id>-<XXXX>-<XXXX>-<XXXX>` (specification, section 2), with
   * twelve of 32 characters from an unbiased CSPRNG, which is 60 bits.
   */
  generate(project: string): string {
    // randomInt is unbiased: no character is more likely than another.
    const group = () =>
      Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    return [this.config.keyPrefix, project, group(), group(), group()].join('-');
  }

  /** Looks up a text as a key. Only if no license has it, looks up the keys that the text may mean. */
  async lookUp<T>(text: string, find: (key: KeyFacts) => Promise<T | null>): Promise<T | null> {
    for (const key of lookupForms(text)) {
      const found = await find(this.factsOf(key));
      if (found) return found;
    }
    return null;
  }

  /** @param key in its lookup form */
  factsOf(key: string): KeyFacts {
    // The project precedes three groups of a hyphen and four characters.
    const project = exactKey(key) === undefined ? null : key.slice(-39, -15).toLowerCase();
    return { keyHash: this.hash(key), project };
  }

  /** The keyed hash that finds a key in its lookup form: HMAC-SHA256, base64url. */
  hash(key: string): string {
    return key.length > MAX_CACHED_LENGTH ? this.computeHash(key) : this.hashes.memo(key);
  }

  private computeHash(key: string): string {
    return createHmac('sha256', this.dataKeys.lookup).update(key).digest('base64url');
  }

  /** The stored forms of a license key: its keyed hash, the key sealed to the license's id, and its last four characters. */
  store(key: string, license: string): StoredKey {
    return {
      keyHash: this.hash(lookupForm(key)),
      sealedKey: seal(this.dataKeys.sealing, Buffer.from(key), license),
      keyHint: key.slice(-4),
    };
  }

  reveal({ _id, sealedKey }: { _id: string; sealedKey: string }): string {
    return open(this.dataKeys.sealing, sealedKey, _id).toString();
  }
}
