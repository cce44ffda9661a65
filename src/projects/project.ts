import type { UpdateProjectDto } from './dto/project.dto.js';
import { recordOf } from '../events/event.js';
import { type AccountId, newOwned } from '../shared/ids.js';
import { searchForm } from '../shared/fields/search-form.js';
import { collection, type RecordOf, field } from '../storage/collection.js';

const FIELDS = {
  _id: field.id(),
  name: field.text(),
  /** The {@link searchForm} of the name. */
  searchName: field.text(),
  client: field.id(),
  /**
   * The label of the product, which the projects of many clients may share. It cannot change after a
   * license was activated.
   */
  product: field.text().nullable(),
  /** The client's owner, copied here so that one lookup can check access. */
  owner: field.id<AccountId>(),
  /** The number of its licenses, without deleted ones that are still stored. */
  licensesCount: field.integer(),
  createdAt: field.time(),
  updatedAt: field.time(),
};

/** A project: software delivered to a client (specification, section 2). */
export type Project = RecordOf<typeof FIELDS>;

/** Changes with each license that is added or becomes active, so the project cannot be deleted at the same time. */
export const PROJECTS = collection<Project>('projects', {
  fields: FIELDS,
  indexes: [
    ['client', 'createdAt', '_id'],
    ['owner', 'product', 'createdAt', '_id'],
    ['owner', 'createdAt', '_id'],
  ],
  account: 'owner',
  cached: true,
});

/** The fields of a new project that its owner sets. */
export type ProjectFields = Pick<Project, 'client' | 'name' | 'product'>;

/** A new project, with one license. */
export const newProject = (accountId: AccountId, fields: ProjectFields, now: Date): Project => ({
  ...newOwned(accountId, now),
  ...fields,
  searchName: searchForm(fields.name),
  licensesCount: 1,
});

/** The project with some of its fields changed. */
export const changedProject = (
  project: Project,
  { name = project.name, product }: UpdateProjectDto,
  now: Date,
): Project => ({
  ...project,
  name,
  searchName: searchForm(name),
  product: product ?? project.product,
  updatedAt: now,
});

export const projectEvent = recordOf('project');
