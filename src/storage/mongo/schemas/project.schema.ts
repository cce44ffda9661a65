import { Prop, Schema, SchemaFactory } from '@nestjs/mongoose';
import { SchemaTypes, Types } from 'mongoose';
import type { Project } from '../../../projects/project.js';
import { toAccountId } from '../../../shared/ids/account-id.js';

@Schema({ collection: 'projects' })
export class ProjectRecord {
  @Prop({ type: SchemaTypes.ObjectId, required: true })
  _id!: Types.ObjectId;

  @Prop({ required: true })
  name!: string;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  client!: Types.ObjectId;

  @Prop({ type: SchemaTypes.ObjectId, required: true })
  owner!: Types.ObjectId;

  @Prop({ type: String, default: null })
  product!: string | null;

  /** Changed with each insert below the project, so that deleting it meanwhile is a conflict. */
  @Prop({ required: true })
  licensesCount!: number;

  /** The deletion that is under way; see {@link KeptProjects}. */
  @Prop({ type: SchemaTypes.ObjectId })
  deletion?: Types.ObjectId | null;

  /** Changed with each idempotent change of a license, so that deleting the project meanwhile is a conflict. */
  @Prop({ type: Number })
  keptCount?: number;

  @Prop({ required: true })
  createdAt!: Date;

  @Prop({ required: true })
  updatedAt!: Date;
}

/** The records that have a product. A query by a product implies this condition, so it uses the index. */
export const HAS_PRODUCT = { product: { $gt: '' } } as const;

export const ProjectSchema = SchemaFactory.createForClass(ProjectRecord);
ProjectSchema.index({ owner: 1, createdAt: -1, _id: -1 });
ProjectSchema.index({ client: 1, createdAt: -1, _id: -1 });
ProjectSchema.index(
  { owner: 1, product: 1, createdAt: -1, _id: -1 },
  { partialFilterExpression: HAS_PRODUCT },
);

/** The record of a new project: one with its first license. */
export function toProjectRecord(project: Project): ProjectRecord {
  return {
    ...project,
    _id: new Types.ObjectId(project._id),
    client: new Types.ObjectId(project.client),
    owner: new Types.ObjectId(project.owner),
    licensesCount: 1,
  };
}

export function toProject(record: ProjectRecord): Project {
  return {
    _id: record._id.toHexString(),
    name: record.name,
    client: record.client.toHexString(),
    // Projects of earlier versions lack the field.
    product: record.product ?? null,
    owner: toAccountId(record.owner.toHexString()),
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  };
}
