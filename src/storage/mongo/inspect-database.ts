import { DEPLOYMENT, type DeploymentItem } from '../../shared/sealing/deployment.js';
import { connect } from './connect.js';
import { readSchema } from './prepare-database.js';
import { toStartupError } from './startup-failure.js';

/** A database, inspected without opening its store. */
export interface DatabaseSummary {
  readonly name: string;
  /** False until the first start. */
  readonly isPrepared: boolean;
  /** The wrapped data keys; undefined before the first start has completed. */
  readonly dataKeys: string | undefined;
}

/**
 * Reads the database of a URI without changing it.
 *
 * @throws StartupError if it cannot be read, is an unfinished copy, or a newer version has migrated it
 */
export async function inspectDatabase(uri: string): Promise<DatabaseSummary> {
  const connection = await connect(uri);
  try {
    const schema = await readSchema(connection);
    const deployment = connection.db!.collection<DeploymentItem>(DEPLOYMENT.name);
    const item = await deployment.findOne({ _id: 'data-keys' });
    return { name: connection.name, isPrepared: schema !== undefined, dataKeys: item?.value };
  } catch (error) {
    throw toStartupError(error);
  } finally {
    await connection.close();
  }
}
