import * as inputs from '../api/inputs.js';
import type { Webhook } from '../api/types.js';
import type { Write } from '../api/use-write.js';
import { TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { TypesField } from './types-field.js';
import { webhooks as names } from './webhook-texts.js';

type SentType = (typeof inputs.createWebhook.types.options)[number];

/** The editable fields of a webhook. */
export interface WebhookFields {
  readonly url: string;
  readonly types: SentType[];
  readonly description: string | null;
}

interface Props {
  /** The webhook to edit. */
  readonly webhook?: Webhook;
  readonly write: Write;
  readonly submit: string;
  readonly onSubmit: (fields: WebhookFields) => void;
  readonly onCancel: () => void;
}

const { url, types, description } = inputs.createWebhook;

export const WebhookForm = ({ webhook, write, submit, onSubmit, onCancel }: Props) => (
  <Form
    write={write}
    submit={submit}
    onCancel={onCancel}
    onSubmit={(fields) =>
      onSubmit({
        url: textOf(fields, url.name),
        types: fields.getAll(types.name) as SentType[],
        description: textOf(fields, description.name) || null,
      })
    }
  >
    <TextField
      label={names.url}
      hint={names.urlHint}
      {...url}
      type="url"
      defaultValue={webhook?.url}
      autoComplete="off"
    />
    <TypesField initial={webhook?.types ?? ['*']} />
    <TextField
      label={names.description}
      hint={names.descriptionHint}
      {...description}
      defaultValue={webhook?.description ?? ''}
      autoComplete="off"
    />
  </Form>
);
