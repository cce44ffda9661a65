import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import type { Client } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { Form } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { ShowOnceButton } from '../shared/show-once-button.js';
import type { Once } from '../shared/shown-once.js';
import { portal as names } from './portal-texts.js';

const SHOWN = { title: names.link, text: names.link, copy: names.copyLink };

/** Creates a link that signs a customer in, and shows it once. */
export const PortalLink = ({ client }: { readonly client: Client }) => (
  <ShowOnceButton
    operation="createPortalLink"
    label={names.link}
    title={names.linkTitle(client.name)}
    names={SHOWN}
  >
    {(show, close) => <LinkForm client={client} onDone={show} onClose={close} />}
  </ShowOnceButton>
);

interface Props {
  readonly client: Client;
  readonly onDone: (shown: Once) => void;
  readonly onClose: () => void;
}

function LinkForm({ client: { _id: id, name }, onDone, onClose }: Props) {
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
