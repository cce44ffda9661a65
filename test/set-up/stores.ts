import setUpMongod from './mongod';
import { useTemporaryFolder } from './temporary-folder';

/** For projects that start many stores: a folder in memory, and one mongod for all of them. */
export default async function setUpStores(): Promise<void> {
  useTemporaryFolder();
  await setUpMongod();
}
