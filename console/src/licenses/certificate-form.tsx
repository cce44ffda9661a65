import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { bodyOf } from '../api/public-client.js';
import type { License } from '../api/types.js';
import { useMay } from '../api/use-may.js';
import { useWrite } from '../api/use-write.js';
import { useDraftText } from '../shared/drafts.js';
import { download } from '../shared/download.js';
import { TextArea, TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { Actions } from '../shared/ui/actions.js';
import { certificate as names } from './license-texts.js';
import { type CertificateRequest, readCertificateRequest } from './certificate-request.js';
import panel from '../shared/ui/panel.module.css';
import styles from './certificate-form.module.css';

const { days } = inputs.issueCertificate;

/** Issues a certificate for offline activation. */
export function CertificateForm({ license: { _id: id, status } }: { readonly license: License }) {
  const may = useMay();
  const issued = useDraftText(`certificate ${id}`);
  const write = useWrite(
    (body: CertificateRequest & { days: number }, key) =>
      bodyOf(
        api.POST('/licenses/{id}/certificates', {
          params: { path: { id }, header: { 'Idempotency-Key': key } },
          body,
        }),
      ),
    ({ certificate }) => {
      issued.save(certificate);
      download(certificate, names.file(id));
      notify(names.done);
    },
  );
  const isPossible = status === 'PENDING' || status === 'ACTIVE';
  if (!isPossible || !may('issueCertificate')) return null;
  return (
    <details className={`${panel.panel} ${styles.folded}`}>
      <summary>{names.title}</summary>
      <p>
        {names.details} {status === 'PENDING' && names.activates}
      </p>
      <Form
        write={write}
        submit={names.issue}
        onSubmit={(fields) => {
          const request = readCertificateRequest(textOf(fields, 'request'));
          if (request) write.submit({ ...request, days: Number(fields.get(days.name)) });
        }}
      >
        <TextArea
          label={names.request}
          hint={names.requestHint}
          name="request"
          autoComplete="off"
          spellCheck={false}
          required
          onChange={({ target }) => {
            // A certificate is valid only for its own request.
            issued.save(null);
            const isRequest = readCertificateRequest(target.value) !== null;
            target.setCustomValidity(isRequest ? '' : names.notARequest);
          }}
        />
        <TextField
          label={names.days}
          hint={names.daysHint(days)}
          {...days}
          defaultValue={days.max}
        />
      </Form>
      {issued.text !== null && (
        <Actions>
          <button type="button" onClick={() => download(String(issued.text), names.file(id))}>
            {names.download}
          </button>
        </Actions>
      )}
    </details>
  );
}
