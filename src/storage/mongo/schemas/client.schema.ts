import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import type { Client } from '../../../clients/client.js';
import { toAccountId } from '../../../shared/ids/account-id.js';
import { searchForm } from '../../../shared/search/search-form.js';

@Schema({ collection: 'clients' })
export class ClientRecord {
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ required: true })
  name!: string;

  /** The {@link searchForm} of the name; it changes with it. */
  @Prop({ required: true })
  searchName!: string;

  @Prop({ required: true, unique: true })
  email!: string;

  /** The {@link searchForm} of the e-mail address; it changes with it. */
  @Prop({ required: true })
  searchEmail!: string;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  owner!: Types.ObjectId;

  /** Changed with each insert below the client, so that deleting it meanwhile is a conflict. */
  @Prop({ required: true })
  projectsCount!: number;

  @Prop({ required: true })
  createdAt!: Date;

  @Prop({ required: true })
  updatedAt!: Date;
}

export const ClientSchema = SchemaFactory.createForClass(ClientRecord);
ClientSchema.index({ owner: 1, createdAt: -1, _id: -1 });
ClientSchema.index({ owner: 1, searchName: 1 });
ClientSchema.index({ owner: 1, searchEmail: 1 });

/** The record of a new client: one without projects. */
export function toClientRecord(client: Client): ClientRecord {
  return {
    ...client,
    _id: new Types.ObjectId(client._id),
    searchName: searchForm(client.name),
    searchEmail: searchForm(client.email),
    owner: new Types.ObjectId(client.owner),
    projectsCount: 0,
  };
}

export function toClient(record: ClientRecord): Client {
  return {
    _id: record._id.toHexString(),
    name: record.name,
    email: record.email,
    owner: toAccountId(record.owner.toHexString()),
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  };
}
