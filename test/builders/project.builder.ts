import type { Client } from '../../src/clients/client.js';
import type { Project } from '../../src/projects/project.js';
import { newRecord } from '../../src/shared/ids/object-id.js';
import { aClient } from './client.builder.js';
import { at } from './time.js';

/** A project of this client, or of one that is not stored, and its owner. */
export function aProject(client: Client = aClient(), fields: Partial<Project> = {}): Project {
  return {
    ...newRecord(),
    name: 'Web shop',
    searchName: 'web shop',
    client: client._id,
    product: null,
    owner: client.owner,
    licensesCount: 0,
    createdAt: at(1),
    updatedAt: at(1),
    ...fields,
  };
}
