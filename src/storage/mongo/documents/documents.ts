import type { Connection, mongo } from 'mongoose';
import type { AnyCollection } from '../../collection.js';
import { Codec } from './codec.js';

/** The documents of a collection in the database. */
export interface Documents {
  readonly codec: Codec;
  /** Statements go through the driver: to build a query of Mongoose takes as long as to send it. */
  readonly driver: mongo.Collection;
}

export type DocumentsOf = (collection: AnyCollection) => Documents;

/** @returns finds the documents of one of these collections */
export function documentsOf(
  connection: Connection,
  collections: readonly AnyCollection[],
): DocumentsOf {
  const documents = collections.map((collection): [string, Documents] => {
    const driver = databaseOf(connection).collection(collection.name);
    return [collection.name, { codec: new Codec(collection), driver }];
  });
  const byName = new Map(documents);
  return ({ name }) => {
    const found = byName.get(name);
    if (!found) throw new Error(`The store was opened without ${name}`);
    return found;
  };
}

export const databaseOf = (connection: Connection): mongo.Db =>
  connection.getClient().db(connection.name);
