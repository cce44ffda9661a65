import { NewLicense } from '../projects/new-license.js';
import { Empty } from '../shared/empty.js';
import { texts } from '../texts.js';

export const NoLicenses = () => (
  <Empty title={texts.licenses.none} details={texts.licenses.noneDetails} operation="createProject">
    <NewLicense />
  </Empty>
);
