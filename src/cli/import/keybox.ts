import path from 'node:path';
import { EJSON } from 'bson';
import { isFields } from '../../shared/fields/request.decorators.js';
import { readAs } from './text-file.js';

type Document = Readonly<Record<string, unknown>>;
type Collections = ReadonlyMap<string, readonly Document[]>;

/**
 * Rows of KeyBox's `licenses` with their `clients` and `projects`. Its programs do not identify machines,
 * so the service's own machine holds a seat on active licenses: they keep running, and a new version can
 * take the other seat for its own machine.
 */
export function keyboxRows(collections: Collections): object[] {
  const byId = (name: string) =>
    new Map((collections.get(name) ?? []).map((one) => [one._id, one] as const));
  const [clients, projects] = [byId('clients'), byId('projects')];
  return (collections.get('licenses') ?? []).map((license) => {
    const { _id: ref, key, status, issuedAt, expiresAt, duration, services } = license;
    const client = clients.get(license.client);
    const isActive = status === 'ACTIVE';
    return {
      ...{ ref, key, status, issuedAt, duration },
      client: { ref: license.client, email: client?.email, name: client?.name },
      project: projects.get(license.project)?.name,
      // The term of a pending license starts with its activation.
      expiresAt: status === 'PENDING' ? null : expiresAt,
      services: [services].flat(),
      ...(isActive && { maxMachines: 2, machines: [{ service: true }] }),
    };
  });
}

/** The documents in files written by mongoexport, by file name: `licenses.json` has the collection `licenses`. */
export const readCollections = (files: readonly string[]): Collections =>
  new Map(files.map((file) => [path.parse(file).name, documentsIn(file)]));

const documentsIn = (file: string): Document[] =>
  readAs(file, 'have been written by mongoexport', (text) => {
    const lines = text.trim().startsWith('[')
      ? [text]
      : text.split('\n').filter((one) => one.trim());
    // Ids and times become text.
    const read = lines.flatMap((line) => JSON.parse(JSON.stringify(EJSON.parse(line))) as unknown);
    return read.every(isFields) ? read : undefined;
  });
