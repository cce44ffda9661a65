import { Injectable } from '@nestjs/common';
import { insert, replace } from '../../storage/changes.js';
import { NOT_STORED } from '../../storage/collection.js';
import { Store } from '../../storage/store.js';
import { DEPLOYMENT, type DeploymentItem } from './deployment.js';

type ItemName = DeploymentItem['_id'];

@Injectable()
export class DeploymentItems {
  constructor(private readonly store: Store) {}

  async find(_id: ItemName): Promise<string | null> {
    return (await this.store.find(DEPLOYMENT, { _id }))?.value ?? null;
  }

  /** The stored value; where there is none, a new one, once it is stored durably. */
  async findOrCreate(_id: ItemName, create: () => string): Promise<string> {
    const stored = await this.find(_id);
    if (stored !== null) return stored;
    const item = { _id, value: create(), version: NOT_STORED };
    const { ok } = await this.store.commit([insert(DEPLOYMENT, item)]);
    return ok ? item.value : (await this.find(_id))!;
  }

  /** Replaces a value if it is still the expected one; returns whether it was. */
  async replace(_id: ItemName, expected: string, value: string): Promise<boolean> {
    const item = await this.store.find(DEPLOYMENT, { _id });
    if (item?.value !== expected) return false;
    return (await this.store.commit([replace(DEPLOYMENT, item, { ...item, value })])).ok;
  }
}
