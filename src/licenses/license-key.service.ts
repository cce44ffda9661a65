import { createHmac, randomInt } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { maxEntries } from '../shared/bounded-cache.js';
import { Config } from '../shared/config/config.js';
import { newRecord } from '../shared/ids.js';
import { DataKeys } from '../shared/sealing/data-keys.js';
import { open, seal } from '../shared/sealing/sealing.js';
import {
  issueLicense,
  type License,
  type LicenseOrigin,
  type LicenseTerms,
  type StoredKey,
} from './license.js';

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
/** Maximum of cached keyed hashes, about 200 bytes each. */
const MAX_CACHED = 20_000;
const SHAPE = /^[A-Z0-9]{1,16}-[0-9A-F]{24}(-[A-Z0-9]{4}){3}$/i;

/** What a license key tells by itself. */
export type KeyFacts = Pick<License, 'keyHash' | 'project'>;

/** A license key as it is shown to those who may not use it: its last four characters. */
export const maskedKey = ({ keyHint }: Pick<License, 'keyHint'>): string => `•••• ${keyHint}`;

/** Issues licenses, each with a new key; parses license keys, and converts them to and from their stored forms. */
@Injectable()
export class LicenseKeyService {
  /** Cached, because shipped software sends the same keys repeatedly. */
  private readonly hashes = new LRUCache<string, string>({
    ...maxEntries(MAX_CACHED),
    memoMethod: (normalKey) =>
      createHmac('sha256', this.dataKeys.lookup).update(normalKey).digest('base64url'),
  });

  constructor(
    private readonly config: Config,
    private readonly dataKeys: DataKeys,
  ) {}

  /** A license to be stored. Its key is random: in the rare case that another license has it, the insertion fails. */
  issue(terms: LicenseTerms & LicenseOrigin, now: Date): License {
    return issueLicense({ ...terms, ...this.newKey(terms.project) }, now);
  }

  /** A license to be stored that replaces another one as it is, with a new key. */
  replace(license: License, now: Date): License {
    return { ...license, ...this.newKey(license.project), createdAt: now, updatedAt: now };
  }

  private newKey(project: string) {
    const record = newRecord();
    return { ...record, ...this.store(this.generate(project), record._id) };
  }

  /**
   * A new key of the form `<KEY_PREFIX>-<project id>-<XXXX>-<XXXX>-<XXXX>` (specification, section 2):
   * twelve characters of 36 by a CSPRNG without bias, about 62 bits.
   */
  generate(project: string): string {
    // randomInt is unbiased: no character is more likely than another.
    const group = () =>
      Array.from({ length: 4 }, () => ALPHABET[randomInt(ALPHABET.length)]).join('');
    return [this.config.keyPrefix, project, group(), group(), group()].join('-');
  }

  /** The normal form of a key: trimmed, in upper case. Undefined for a malformed key. */
  parse(key: string): string | undefined {
    const trimmed = key.trim();
    // Tested before the conversion: some foreign letters have an ASCII upper case.
    return SHAPE.test(trimmed) ? trimmed.toUpperCase() : undefined;
  }

  /** What a key tells by itself; undefined for a malformed one. */
  read(key: string): KeyFacts | undefined {
    const normalKey = this.parse(key);
    if (normalKey === undefined) return undefined;
    // The project is before three groups of a hyphen and four characters.
    return { keyHash: this.hash(normalKey), project: normalKey.slice(-39, -15).toLowerCase() };
  }

  /** The keyed hash by which a key in normal form is looked up: HMAC-SHA256, base64url. */
  hash(normalKey: string): string {
    return this.hashes.memo(normalKey);
  }

  /** The stored forms of a license key: its keyed hash, the key sealed to the license's id, and its last four characters. */
  store(key: string, license: string): StoredKey {
    return {
      keyHash: this.hash(key.toUpperCase()),
      sealedKey: seal(this.dataKeys.sealing, Buffer.from(key), license),
      keyHint: key.slice(-4),
    };
  }

  reveal({ _id, sealedKey }: { _id: string; sealedKey: string }): string {
    return open(this.dataKeys.sealing, sealedKey, _id).toString();
  }
}
