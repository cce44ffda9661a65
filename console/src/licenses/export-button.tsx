import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import { useMay } from '../api/use-may.js';
import { useWrite } from '../api/use-write.js';
import { download } from '../shared/download.js';
import { ErrorNote } from '../shared/error-note.js';
import { Waiting } from '../shared/waiting.js';
import { texts } from '../texts.js';
import { type LicenseFilter, toQuery } from './license-filter.js';

/** Saves the filtered licenses as a CSV file. */
export function ExportButton({ filter }: { readonly filter: LicenseFilter }) {
  const may = useMay();
  const write = useWrite(
    () => bodyOf(api.GET('/licenses.csv', { params: { query: toQuery(filter) }, parseAs: 'text' })),
    (csv) => download(String(csv), texts.licenses.exportFile, 'text/csv'),
  );
  if (!may('exportLicenses')) return null;
  return (
    <>
      <button
        type="button"
        aria-disabled={write.isPending}
        onClick={() => write.isPending || write.submit(undefined)}
      >
        {texts.licenses.export}
      </button>
      <Waiting wait={write.wait} onStop={write.cancel} />
      {write.error && <ErrorNote error={write.error} />}
    </>
  );
}
