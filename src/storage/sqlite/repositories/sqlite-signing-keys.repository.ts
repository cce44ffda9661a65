import { Injectable } from '@nestjs/common';
import { EJSON } from 'bson';
import {
  type PublicSigningKeys,
  publicPart,
  type SigningKeys,
} from '../../../certificates/signing-keys/signing-keys.js';
import { SigningKeysRepository } from '../../../certificates/signing-keys/signing-keys.repository.js';
import { type AccountId, toAccountId } from '../../../shared/ids/account-id.js';
import type { IdempotencyRecord } from '../../../shared/idempotency/idempotency-record.js';
import { SqliteStore } from '../connection/sqlite-store.js';
import { insertInto, type Row, toDate } from './rows.js';
import { SqliteIdempotencyRepository } from './sqlite-idempotency.repository.js';

const COLUMNS = ['_id', 'issuer', 'currentKid', 'keys', 'rotations', 'createdAt', 'updatedAt'];

@Injectable()
export class SqliteSigningKeysRepository extends SigningKeysRepository {
  private readonly select;
  private readonly selectByIssuer;
  private readonly insertFirst;
  private readonly updateExpected;
  private readonly replaceOlder;
  private readonly selectDeletedAccount;
  private readonly selectAccount;

  constructor(
    private readonly store: SqliteStore,
    private readonly records: SqliteIdempotencyRepository,
  ) {
    super();
    this.select = store.prepare('SELECT * FROM signing_keys WHERE _id = ?');
    this.selectByIssuer = store.prepare('SELECT * FROM signing_keys WHERE issuer = ?');
    this.insertFirst = store.prepare(
      `${insertInto('signing_keys', COLUMNS)} ON CONFLICT (_id) DO NOTHING`,
    );
    this.updateExpected = store.prepare(
      `UPDATE signing_keys SET currentKid = $currentKid, keys = $keys, rotations = $rotations,
         updatedAt = $updatedAt
       WHERE _id = $_id AND currentKid = $read`,
    );
    this.replaceOlder = store.prepare(
      `${insertInto('signing_keys', COLUMNS)} ON CONFLICT (_id) DO UPDATE SET issuer = $issuer,
         currentKid = $currentKid, keys = $keys, rotations = $rotations, createdAt = $createdAt,
         updatedAt = $updatedAt
       WHERE rotations <= $rotations`,
    );
    this.selectDeletedAccount = store.prepare('SELECT 1 FROM deleted_accounts WHERE _id = ?');
    this.selectAccount = store.prepare('SELECT 1 FROM users WHERE _id = ?');
  }

  async find(account: AccountId): Promise<SigningKeys | null> {
    return this.stored(account);
  }

  async findByIssuer(issuer: string): Promise<SigningKeys | null> {
    const row = this.selectByIssuer.get(issuer) as Row | undefined;
    return row ? toSigningKeys(row) : null;
  }

  keepFirst(keys: SigningKeys): Promise<SigningKeys | 'account_deleted'> {
    return this.store.write(() => {
      if (this.selectDeletedAccount.get(keys._id)) return 'account_deleted';
      this.insertFirst.run(toRow(keys));
      return this.stored(keys._id) ?? keys;
    });
  }

  rotate(
    read: string,
    rotated: SigningKeys,
    idempotency?: IdempotencyRecord,
  ): Promise<PublicSigningKeys | null> {
    return this.records.runOnce(idempotency, () => {
      const { _id, currentKid, keys, rotations, updatedAt } = toRow(rotated);
      const changes = { _id, currentKid, keys, rotations, updatedAt, read };
      return this.updateExpected.run(changes).changes === 1 ? publicPart(rotated) : null;
    });
  }

  import(
    keys: SigningKeys,
  ): Promise<'imported' | 'rotated_since' | 'issuer_taken' | 'account_deleted'> {
    return this.store.write(() => {
      if (this.selectDeletedAccount.get(keys._id)) return 'account_deleted';
      const holder = this.selectByIssuer.get(keys.issuer) as Row | undefined;
      if (holder && holder._id !== keys._id) return 'issuer_taken';
      if (keys.issuer !== keys._id && this.selectAccount.get(keys.issuer)) return 'issuer_taken';
      return this.replaceOlder.run(toRow(keys)).changes === 1 ? 'imported' : 'rotated_since';
    });
  }

  private stored(account: AccountId): SigningKeys | null {
    const row = this.select.get(account) as Row | undefined;
    return row ? toSigningKeys(row) : null;
  }
}

function toRow(signingKeys: SigningKeys) {
  const { _id, issuer, current, next, retired, rotations, createdAt, updatedAt } = signingKeys;
  return {
    _id,
    issuer,
    currentKid: current.kid,
    keys: EJSON.stringify({ current, next, retired }),
    rotations,
    createdAt: createdAt.getTime(),
    updatedAt: updatedAt.getTime(),
  };
}

export function toSigningKeys(row: Row): SigningKeys {
  return {
    _id: toAccountId(String(row._id)),
    issuer: String(row.issuer),
    ...(EJSON.parse(String(row.keys)) as Pick<SigningKeys, 'current' | 'next' | 'retired'>),
    rotations: Number(row.rotations),
    createdAt: toDate(row.createdAt),
    updatedAt: toDate(row.updatedAt),
  };
}
