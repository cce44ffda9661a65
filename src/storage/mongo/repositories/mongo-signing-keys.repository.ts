import { Injectable } from '@nestjs/common';
import { Types } from 'mongoose';
import {
  type PublicSigningKeys,
  publicPart,
  type SigningKeys,
} from '../../../certificates/signing-keys/signing-keys.js';
import { SigningKeysRepository } from '../../../certificates/signing-keys/signing-keys.repository.js';
import { Config } from '../../../shared/config/config.js';
import type { AccountId } from '../../../shared/ids/account-id.js';
import type { IdempotencyRecord } from '../../../shared/idempotency/idempotency-record.js';
import { onDuplicate } from '../connection/driver-errors.js';
import { MongoStore, type Transaction } from '../connection/mongo-store.js';
import { insertRecord } from '../connection/statement-deadline.js';
import { toSigningKeys, toSigningKeysRecord } from '../schemas/signing-keys.schema.js';
import { runOnce } from './mongo-idempotency.repository.js';

@Injectable()
export class MongoSigningKeysRepository extends SigningKeysRepository {
  constructor(
    private readonly store: MongoStore,
    private readonly config: Config,
  ) {
    super();
  }

  async find(account: AccountId): Promise<SigningKeys | null> {
    const _id = new Types.ObjectId(account);
    const record = await this.store.run(({ signingKeys }) => signingKeys.findOne({ _id }).lean());
    return record && toSigningKeys(record);
  }

  async findByIssuer(issuer: string): Promise<SigningKeys | null> {
    const record = await this.store.run(({ signingKeys }) =>
      signingKeys.findOne({ issuer: { $eq: issuer } }).lean(),
    );
    return record && toSigningKeys(record);
  }

  keepFirst(keys: SigningKeys): Promise<SigningKeys | 'account_deleted'> {
    const record = toSigningKeysRecord(keys);
    return this.store.transaction(keys._id, async (tx) => {
      const { signingKeys, session } = tx;
      const stored = await signingKeys.findOne({ _id: record._id }, null, { session }).lean();
      if (stored) return toSigningKeys(stored);
      if (await isDeleted(tx, record._id)) return 'account_deleted';
      await insertRecord(signingKeys, record, session);
      return keys;
    });
  }

  rotate(
    read: string,
    rotated: SigningKeys,
    idempotency?: IdempotencyRecord,
  ): Promise<PublicSigningKeys | null> {
    const record = toSigningKeysRecord(rotated);
    const condition = { _id: record._id, 'current.kid': { $eq: read } };
    return runOnce(this.store, this.config.quotas, idempotency, rotated._id, async (tx) => {
      const { signingKeys, session } = tx;
      const { matchedCount } = await signingKeys.replaceOne(condition, record, { session });
      return matchedCount === 1 ? publicPart(rotated) : null;
    });
  }

  async import(
    keys: SigningKeys,
  ): Promise<'imported' | 'rotated_since' | 'issuer_taken' | 'account_deleted'> {
    const record = toSigningKeysRecord(keys);
    try {
      return await this.store.transaction(keys._id, async (tx) => {
        const { signingKeys, session } = tx;
        const { _id } = record;
        if (await isDeleted(tx, _id)) return 'account_deleted';
        const issuer = new Types.ObjectId(keys.issuer);
        const isAccount = await tx.users.exists({ _id: issuer }).session(session);
        if (isAccount && !issuer.equals(_id)) return 'issuer_taken';
        const later = { _id, rotations: { $gt: keys.rotations } };
        if (await signingKeys.exists(later).session(session)) return 'rotated_since';
        await signingKeys.replaceOne({ _id }, record, { session, upsert: true });
        return 'imported';
      });
    } catch (error) {
      return onDuplicate('issuer', 'issuer_taken', error);
    }
  }
}

async function isDeleted(
  { deletedAccounts, session }: Transaction,
  _id: Types.ObjectId,
): Promise<boolean> {
  return (await deletedAccounts.exists({ _id }).session(session)) !== null;
}

/** Deletes the signing keys of an account in a transaction: creating them at the same time conflicts with it. */
export async function deleteSigningKeys(
  { signingKeys, session }: Transaction,
  account: Types.ObjectId,
): Promise<void> {
  // Deleting a record that does not exist would conflict with nothing.
  const $set = { rotations: -1 };
  const $setOnInsert = { issuer: account.toHexString() };
  await signingKeys.updateOne({ _id: account }, { $set, $setOnInsert }, { session, upsert: true });
  await signingKeys.deleteOne({ _id: account }, { session });
}
