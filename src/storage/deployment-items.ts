import { Injectable } from '@nestjs/common';
import { insert, replace } from './changes.js';
import { NOT_STORED } from './collection.js';
import { DEPLOYMENT, type DeploymentItem } from '../shared/sealing/deployment.js';
import { WritableStore } from './writable-store.js';

type ItemName = DeploymentItem['_id'];

@Injectable()
export class DeploymentItems {
  constructor(private readonly store: WritableStore) {}

  async find(_id: ItemName): Promise<string | null> {
    return (await this.store.find(DEPLOYMENT, { _id }))?.value ?? null;
  }

  /** The stored value; if there is none, stores a new one durably first. */
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
