import { stopMongod } from './mongod';
import { removeTemporaryFolder } from './temporary-folder';

export default async function tearDown(): Promise<void> {
  await stopMongod();
  removeTemporaryFolder();
}
