import { useRef, useState } from 'react';
import * as inputs from '../api/inputs.js';
import { useWrite } from '../api/use-write.js';
import { Checkbox, TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { Actions } from '../shared/ui/actions.js';
import { FieldRow } from '../shared/ui/field-row.js';
import { texts } from '../texts.js';
import { type Portal, type PortalSettings, savePortal } from './portal-queries.js';
import { portal as names } from './portal-texts.js';

const limits = inputs.updatePortal;

interface Props {
  readonly stored: Portal;
  readonly onChange: (settings: PortalSettings) => void;
}

export function PortalForm({ stored, onChange }: Props) {
  const container = useRef<HTMLDivElement>(null);
  const [logo, setLogo] = useState(stored.logo);
  const save = useWrite(savePortal, () => notify(names.saved));
  const change = (chosen = logo) => {
    const form = container.current?.querySelector('form');
    if (form) onChange(settingsOf(new FormData(form), chosen));
  };
  const choose = (chosen: string | null) => {
    setLogo(chosen);
    change(chosen);
  };
  return (
    <div ref={container} onInput={() => change()}>
      <Form
        write={save}
        submit={texts.save}
        onSubmit={(fields) => save.submit(settingsOf(fields, logo))}
      >
        <Checkbox label={names.enabled} name="enabled" defaultChecked={stored.enabled} />
        <FieldRow>
          <TextField
            label={names.name}
            hint={names.nameHint}
            {...limits.name}
            defaultValue={stored.name}
            autoComplete="off"
          />
          <TextField
            label={names.supportUrl}
            hint={names.supportUrlHint}
            {...limits.supportUrl}
            defaultValue={stored.supportUrl ?? ''}
            autoComplete="off"
          />
        </FieldRow>
        <FieldRow>
          <TextField
            label={names.logo}
            hint={names.logoHint}
            name="logo"
            type="file"
            accept="image/png"
            onChange={({ target }) => void encoded(target.files?.[0]).then(choose)}
          />
        </FieldRow>
        {logo !== null && (
          <Actions>
            <button type="button" onClick={() => choose(null)}>
              {names.removeLogo}
            </button>
          </Actions>
        )}
        <Checkbox
          label={names.showKey}
          hint={names.showKeyHint}
          name="showKey"
          defaultChecked={stored.showKey}
        />
        <FieldRow>
          <TextField
            label={names.releases}
            hint={names.releasesHint}
            {...limits.releasesPer30Days}
            required
            defaultValue={stored.releasesPer30Days}
          />
        </FieldRow>
      </Form>
    </div>
  );
}

const settingsOf = (fields: FormData, logo: string | null): PortalSettings => ({
  enabled: fields.has('enabled'),
  name: textOf(fields, 'name'),
  supportUrl: urlOf(textOf(fields, 'supportUrl')),
  logo,
  showKey: fields.has('showKey'),
  releasesPer30Days: Number(textOf(fields, 'releasesPer30Days')),
});

/** A link, which may be entered as an email address; null if there is none. */
const urlOf = (text: string): string | null =>
  (/^[^\s:/]+@[^\s:/]+$/.test(text) ? `mailto:${text}` : text) || null;

/** A file in base64; null if none was chosen. */
async function encoded(file: File | undefined): Promise<string | null> {
  if (!file) return null;
  const bytes = new Uint8Array(await file.arrayBuffer());
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}
