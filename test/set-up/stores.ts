import setUpMongod from './mongod';
import { useTemporaryFolder } from './temporary-folder';

/** For the projects that start many stores: in memory, and one mongod for all of them. */
export default async function setUpStores(): Promise<void> {
  useTemporaryFolder();
  await setUpMongod();
}
