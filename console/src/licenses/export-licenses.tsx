import { exportApi } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import { ExportButton } from '../shared/export-button.js';
import { texts } from '../texts.js';
import { type LicenseFilter, toQuery } from './license-filter.js';

/** Saves the filtered licenses as a CSV file. */
export const ExportLicenses = ({ filter }: { readonly filter: LicenseFilter }) => (
  <ExportButton
    label={texts.licenses.export}
    operation="exportLicenses"
    read={() =>
      bodyOf(
        exportApi.GET('/licenses.csv', { params: { query: toQuery(filter) }, parseAs: 'text' }),
      )
    }
    file={texts.licenses.exportFile}
    type="text/csv"
  />
);
