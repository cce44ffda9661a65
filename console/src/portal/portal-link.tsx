import { useState } from 'react';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Client } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { Form } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { type Once, ShownOnce } from '../shared/shown-once.js';
import { portal as names } from './portal-texts.js';

const SHOWN = { text: names.link, copy: names.copyLink };

interface Props {
  readonly client: Client;
  readonly onClose: () => void;
}

/** Creates a link that signs a customer in, and shows it once. */
export function PortalLink({ client, onClose }: Props) {
  const [shown, setShown] = useState<Once | null>(null);
  if (shown) return <ShownOnce {...shown} names={SHOWN} onClose={onClose} />;
  return <LinkForm client={client} onDone={setShown} onClose={onClose} />;
}

function LinkForm({
  client: { _id: id, name },
  onDone,
  onClose,
}: Props & { readonly onDone: (shown: Once) => void }) {
  const create = useWrite(
    (_input: undefined, key) => {
      const params = { path: { id }, header: { 'Idempotency-Key': key } };
      return bodyOf(api.POST('/clients/{id}/portal-link', { params }));
    },
    ({ link }) => {
      if (link !== null) return onDone({ text: link, details: names.linkDetails(name) });
      onClose();
      notify(names.linkLost);
    },
  );
  return (
    <Form
      write={create}
      submit={names.create}
      onCancel={onClose}
      onSubmit={() => create.submit(undefined)}
    >
      <p>{names.linkConsequence}</p>
    </Form>
  );
}
