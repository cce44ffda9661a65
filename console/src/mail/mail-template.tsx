import { api } from '../api/client.js';
import * as inputs from '../api/inputs.js';
import { bodyOf } from '../api/public-client.js';
import type { MailTemplate } from '../api/types.js';
import { useWrite } from '../api/use-write.js';
import { Badge } from '../shared/badge.js';
import { ConfirmationButton } from '../shared/confirmation.js';
import { DialogButton } from '../shared/dialog-button.js';
import { Fact, Facts } from '../shared/facts.js';
import { Checkbox, TextArea, TextField } from '../shared/fields.js';
import { Form, textOf } from '../shared/form.js';
import { notify } from '../shared/notices.js';
import { Actions } from '../shared/ui/actions.js';
import { Muted } from '../shared/ui/muted.js';
import { Panel, PanelHead } from '../shared/ui/panel.js';
import { Stack } from '../shared/ui/stack.js';
import { texts } from '../texts.js';
import styles from './mail-template.module.css';
import { mail as names, sampleOf, templates } from './mail-texts.js';

interface Props {
  readonly template: MailTemplate;
}

/** A template with sample values, which its author can edit and send to themselves. */
export function TemplatePanel({ template }: Props) {
  const { kind, enabled, subject, text, replyTo } = template;
  const { title, details } = templates[kind];
  return (
    <Panel label={title}>
      <PanelHead title={title}>
        <Badge look={enabled ? 'active' : 'suspended'}>{enabled ? names.on : names.off}</Badge>
        <Actions>
          <DialogButton
            operation="putMailTemplate"
            label={names.edit}
            name={names.editTitle(title)}
            title={names.editTitle(title)}
          >
            {(close) => <TemplateForm template={template} onClose={close} />}
          </DialogButton>
          <ConfirmationButton
            operation="testMailTemplate"
            label={names.test}
            name={names.testOf(title)}
            title={names.testOf(title)}
            details={names.testDetails}
            run={(key) => sendTest(kind, key)}
            done={names.tested}
          />
        </Actions>
      </PanelHead>
      <div className={styles.template}>
        <Stack>
          <Muted>{details}</Muted>
          <Facts>
            <Fact name={names.subject}>{sampleFor(template, subject)}</Fact>
            <Fact name={names.replyTo}>{replyTo ?? names.replyToNobody}</Fact>
          </Facts>
        </Stack>
        <div role="group" aria-label={names.sample} className={styles.sample}>
          {sampleFor(template, text)}
        </div>
      </div>
    </Panel>
  );
}

function TemplateForm({ template, onClose }: Props & { readonly onClose: () => void }) {
  const { kind } = template;
  const write = useWrite(
    (body: TemplateFields) =>
      bodyOf(api.PUT('/mail-templates/{kind}', { params: { path: { kind } }, body })),
    () => {
      onClose();
      notify(names.saved(templates[kind].title));
    },
  );
  const { enabled, subject, text, replyTo } = inputs.putMailTemplate;
  return (
    <Form
      write={write}
      submit={texts.save}
      onCancel={onClose}
      onSubmit={(fields) =>
        write.submit({
          enabled: fields.has(enabled.name),
          subject: textOf(fields, subject.name) || null,
          text: textOf(fields, text.name) || null,
          replyTo: textOf(fields, replyTo.name) || null,
        })
      }
    >
      <Checkbox name={enabled.name} label={names.enabled} defaultChecked={template.enabled} />
      <TextField
        label={names.subject}
        hint={names.subjectHint}
        {...subject}
        defaultValue={template.subject}
        autoComplete="off"
      />
      <TextArea
        label={names.text}
        hint={names.textHint}
        {...text}
        rows={12}
        defaultValue={template.text}
      />
      <TextField
        label={names.replyTo}
        hint={names.replyToHint}
        {...replyTo}
        defaultValue={template.replyTo ?? ''}
        autoComplete="off"
      />
    </Form>
  );
}

interface TemplateFields {
  readonly enabled: boolean;
  readonly subject: string | null;
  readonly text: string | null;
  readonly replyTo: string | null;
}

const sendTest = (kind: MailTemplate['kind'], key: string) => {
  const params = { path: { kind }, header: { 'Idempotency-Key': key } };
  return bodyOf(api.POST('/mail-templates/{kind}/test', { params }));
};

const sampleFor = ({ kind }: MailTemplate, text: string) => {
  const sample = sampleOf(kind);
  return text.replaceAll(/\{\{\s*([\w.]+)\s*\}\}/g, (whole, name: string) => sample[name] ?? whole);
};
