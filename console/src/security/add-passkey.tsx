import { useState } from 'react';
import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { bodyOf } from '../api/public-client.js';
import { useWrite } from '../api/use-write.js';
import { Dialog, preloadDialogs } from '../shared/dialog.js';
import { TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { createPasskey } from './passkeys.js';
import { passkeys as names, recoveryCodes } from './security-texts.js';
import { ShownCodes } from './shown-codes.js';

const { name: nameInput } = inputs.createPasskey;

/** Adds a passkey. The first second factor also creates recovery codes. */
export function AddPasskey() {
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <button type="button" onPointerEnter={preloadDialogs} onClick={() => setOpen(true)}>
        {names.add}
      </button>
      {isOpen && <AddDialog onClose={() => setOpen(false)} />}
    </>
  );
}

function AddDialog({ onClose }: { readonly onClose: () => void }) {
  const add = useWrite(addPasskey, ({ name, codes }) => {
    if (codes) return;
    onClose();
    notify(names.added(name));
  });
  if (add.data?.codes) {
    return (
      <Dialog title={recoveryCodes.shownTitle} onClose={onClose}>
        <ShownCodes codes={add.data.codes} onClose={onClose} />
      </Dialog>
    );
  }
  return (
    <Dialog title={names.add} onClose={onClose}>
      <Form
        write={add}
        submit={names.add}
        onCancel={onClose}
        onSubmit={(fields) => add.submit(textOf(fields, nameInput.name))}
      >
        <TextField label={names.name} hint={names.nameHint} {...nameInput} autoComplete="off" />
        <p>{names.addDetails}</p>
      </Form>
    </Dialog>
  );
}

async function addPasskey(name: string) {
  const { passkeyOptions } = await bodyOf(api.POST('/auth/factors/passkeys/options'));
  const body = { name, response: await createPasskey(passkeyOptions) };
  const added = await bodyOf(api.POST('/auth/factors/passkeys', { body }));
  return { name, codes: added.recoveryCodes };
}
