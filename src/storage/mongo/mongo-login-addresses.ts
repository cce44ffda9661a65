import { Injectable } from '@nestjs/common';
import { InjectModel } from '@nestjs/mongoose';
import type { ClientSession, Model } from 'mongoose';
import { MAX_LOGIN_ADDRESSES } from '../../auth/sessions/session.js';
import { MongoStore } from './mongo-store.js';
import { LoginAddressRecord } from './schemas/login-address.schema.js';

/** The addresses that accounts were logged in to from. */
@Injectable()
export class MongoLoginAddresses {
  constructor(
    private readonly store: MongoStore,
    @InjectModel(LoginAddressRecord.name) private readonly addresses: Model<LoginAddressRecord>,
  ) {}

  async isKnown(_id: string): Promise<boolean> {
    return (await this.store.run(() => this.addresses.exists({ _id: { $eq: _id } }))) !== null;
  }

  /** Stores the address of a login within its transaction, and keeps the newest ones of the account. */
  async remember({ _id, user, usedAt }: LoginAddressRecord, tx: ClientSession): Promise<void> {
    await this.addresses.updateOne(
      { _id: { $eq: _id } },
      { $set: { user, usedAt } },
      { session: tx, upsert: true },
    );
    const oldest = await this.addresses
      .find({ user, _id: { $ne: _id } }, { _id: 1 }, { session: tx })
      .sort({ usedAt: -1 })
      .skip(MAX_LOGIN_ADDRESSES - 1)
      .lean();
    if (oldest.length === 0) return;
    const ids = oldest.map((record) => record._id);
    await this.addresses.deleteMany({ _id: { $in: ids } }, { session: tx });
  }
}
