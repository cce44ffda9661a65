import { type ReactNode, useEffect, useRef, useState } from 'react';
import { Cancelled, type Wait } from '../api/api-error.js';
import * as inputs from '../api/inputs.js';
import { readPageAgain } from '../api/query-client.js';
import { sendRepeatedly } from '../api/send-repeatedly.js';
import type { License } from '../api/types.js';
import type { Operation } from '../api/use-may.js';
import { DialogButton } from '../shared/dialog-button.js';
import { describeError } from '../shared/error-description.js';
import { DurationField, durationOf } from '../shared/duration-field.js';
import { notify } from '../shared/notices.js';
import { TypedName } from '../shared/typed-name.js';
import { Foot } from '../shared/ui/foot.js';
import buttons from '../shared/ui/button.module.css';
import { Records } from '../shared/ui/records.js';
import { useFirstFocus } from '../shared/use-first-focus.js';
import { Waiting } from '../shared/waiting.js';
import { texts } from '../texts.js';
import { canBeRenewed, canBeResumed, canBeRevoked, canBeSuspended } from './license-actions.js';
import { BATCH_SIZE, changeTogether, type Failure } from './license-batch.js';
import { nameOf } from './license-name.js';
import { bulk as names, suspension } from './license-texts.js';
import { ReasonField, reasonOf } from './reason-form.js';
import styles from './bulk-actions.module.css';

interface Props {
  readonly licenses: readonly License[];
  readonly onDone: () => void;
}

/** The actions for the selected licenses. Each applies only to the licenses that allow it. */
export const BulkActions = ({ licenses, onDone }: Props) => (
  <>
    <BulkButton
      operation="renewLicense"
      label={texts.renew.action}
      titleOf={names.renew}
      details={`${names.renewDetails} ${texts.renew.undo}`}
      selected={licenses}
      isPossible={canBeRenewed}
      onDone={onDone}
      fields={<DurationField limits={inputs.renewLicense.duration} />}
      run={(some, fields, key) =>
        changeTogether('renew', some, { duration: durationOf(fields) }, key)
      }
    />
    <BulkButton
      operation="suspendLicense"
      label={suspension.suspend.action}
      titleOf={names.suspend}
      details={names.suspendDetails}
      selected={licenses}
      isPossible={canBeSuspended}
      onDone={onDone}
      fields={<ReasonField />}
      run={(some, fields, key) => changeTogether('suspend', some, reasonOf(fields), key)}
    />
    <BulkButton
      operation="suspendLicense"
      label={suspension.resume.action}
      titleOf={names.resume}
      details={names.resumeDetails}
      selected={licenses}
      isPossible={canBeResumed}
      onDone={onDone}
      run={(some, _fields, key) => changeTogether('resume', some, {}, key)}
    />
    <BulkButton
      operation="revokeLicense"
      label={texts.revoke.action}
      titleOf={names.revoke}
      details={names.revokeDetails}
      selected={licenses}
      isPossible={canBeRevoked}
      onDone={onDone}
      fields={<ReasonField />}
      run={(some, fields, key) => changeTogether('revoke', some, reasonOf(fields), key)}
      isDangerous
    />
  </>
);

interface BulkProps {
  readonly label: string;
  readonly details: string;
  /** Changes up to {@link BATCH_SIZE} licenses. Returns the ones the service rejected. */
  readonly run: (
    licenses: readonly License[],
    fields: FormData,
    idempotencyKey: string,
  ) => Promise<readonly Failure[]>;
  readonly fields?: ReactNode;
  readonly isDangerous?: boolean;
  readonly onDone: () => void;
}

interface ButtonProps extends BulkProps {
  readonly operation: Operation;
  readonly titleOf: (count: number) => string;
  readonly selected: readonly License[];
  readonly isPossible: (license: License) => boolean;
}

function BulkButton({ operation, titleOf, selected, isPossible, ...form }: ButtonProps) {
  // Fixed when selected: once changed, the action applies to none of them, but the dialog still reports the result.
  const [licenses] = useState(() => selected.filter(isPossible));
  if (licenses.length === 0) return null;
  return (
    <DialogButton operation={operation} label={form.label} title={titleOf(licenses.length)}>
      {(close) => (
        <BulkForm
          {...form}
          licenses={licenses}
          others={selected.length - licenses.length}
          onClose={close}
        />
      )}
    </DialogButton>
  );
}

interface FormProps extends BulkProps {
  readonly licenses: readonly License[];
  /** The number of selected licenses that the action skips. */
  readonly others: number;
  readonly onClose: () => void;
}

/** Applies an action to the licenses in batches until it is closed, and reports failures. */
function BulkForm(props: FormProps) {
  const { licenses, others, label, details, run, isDangerous, onDone, onClose } = props;
  const form = useRef<HTMLFormElement>(null);
  useFirstFocus(form, isDangerous);
  const [done, setDone] = useState<number | null>(null);
  const [failures, setFailures] = useState<readonly Failure[]>([]);
  const [wait, setWait] = useState<Wait | null>(null);
  const closing = useRef<AbortController>(null);
  useEffect(() => () => closing.current?.abort(), []);
  const isOver = done === licenses.length;
  const start = async (fields: FormData) => {
    const { signal } = (closing.current = new AbortController());
    const failed: Failure[] = [];
    let count = 0;
    while (count < licenses.length && !signal.aborted) {
      setDone(count);
      const some = licenses.slice(count, count + BATCH_SIZE);
      try {
        failed.push(...(await sendRepeatedly((key) => run(some, fields, key), signal, setWait)));
      } catch (error) {
        if (error instanceof Cancelled) break;
        const reason = describeError(error as Error).message;
        failed.push(...some.map((license) => ({ license, reason })));
      }
      setFailures([...failed]);
      count += some.length;
    }
    setDone(count);
    if (signal.aborted) notify(names.progress(count, licenses.length, failed.length));
    readPageAgain();
  };
  const close = () => {
    onClose();
    if (isOver) onDone();
  };
  return (
    <form
      ref={form}
      onSubmit={(event) => {
        event.preventDefault();
        if (done === null) void start(new FormData(event.currentTarget));
      }}
    >
      {done === null && (
        <>
          <p>{details}</p>
          <Names licenses={licenses} others={others} />
        </>
      )}
      {done === null && props.fields}
      {isDangerous && done === null && licenses.length > 1 && (
        <TypedName name={String(licenses.length)} />
      )}
      <Foot
        notes={
          <>
            <p role="status" className={styles.progress}>
              {done !== null && names.progress(done, licenses.length, failures.length)}
            </p>
            <Waiting wait={wait} />
            {failures.length > 0 && (
              <ul className={styles.failures}>
                {failures.map(({ license, reason }) => (
                  <li key={license._id}>
                    {nameOf(license)}: {reason}
                  </li>
                ))}
              </ul>
            )}
          </>
        }
      >
        <button type="button" onClick={close}>
          {isOver ? texts.close : texts.cancel}
        </button>
        {done === null && (
          <button type="submit" className={isDangerous ? buttons.danger : buttons.primary}>
            {label}
          </button>
        )}
      </Foot>
    </form>
  );
}

/** Maximum number of licenses to list by name. */
const NAMED = 5;

function Names({ licenses, others }: Pick<FormProps, 'licenses' | 'others'>) {
  const more = licenses.length - NAMED;
  return (
    <Records>
      {licenses.slice(0, NAMED).map((license) => (
        <li key={license._id}>{nameOf(license)}</li>
      ))}
      {more > 0 && <li>{names.more(more)}</li>}
      {others > 0 && <li>{names.others(others)}</li>}
    </Records>
  );
}
