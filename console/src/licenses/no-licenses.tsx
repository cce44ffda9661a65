import { Link } from '@tanstack/react-router';
import { Empty } from '../shared/empty.js';
import { texts } from '../texts.js';

export const NoLicenses = () => (
  <Empty title={texts.licenses.none} details={texts.licenses.noneDetails}>
    <Link to="/clients" className="button">
      {texts.licenses.toClients}
    </Link>
  </Empty>
);
