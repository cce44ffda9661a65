import { randomUUID } from 'node:crypto';
import { createConnection } from 'mongoose';

/** The URI of a new database. Its client has this application name, by which a test injects failures into its commands. */
export function newDatabase(appName: string = randomUUID()): string {
  const uri = new URL(String(process.env.TEST_MONGODB_URI));
  uri.pathname = `/copied-${randomUUID()}`;
  uri.searchParams.set('appName', appName);
  return uri.href;
}

export async function dropDatabase(uri: string): Promise<void> {
  const connection = await createConnection(uri).asPromise();
  await connection.dropDatabase();
  await connection.close();
}
