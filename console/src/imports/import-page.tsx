import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import * as inputs from '../api/inputs.js';
import type { LicensedService } from '../api/types.js';
import { ServicesField } from '../projects/services-field.js';
import { Breadcrumbs, ListLink } from '../shared/breadcrumbs.js';
import { OFFERED_SERVICES } from '../shared/deployment.js';
import { ErrorNote } from '../shared/error-note.js';
import { SelectField, TextField } from '../shared/fields.js';
import { textOf } from '../shared/form.js';
import { Page } from '../shared/page.js';
import buttons from '../shared/ui/button.module.css';
import { FieldRow } from '../shared/ui/field-row.js';
import { Foot } from '../shared/ui/foot.js';
import { Muted } from '../shared/ui/muted.js';
import { Panel } from '../shared/ui/panel.js';
import { Waiting } from '../shared/waiting.js';
import { texts } from '../texts.js';
import { type CsvFile, MAX_SIZE, readCsv } from './csv-file.js';
import { ImportOutcomes } from './import-outcomes.js';
import {
  FIELDS,
  type ImportField,
  type Mapping,
  REQUIRED,
  suggestedMapping,
  toRow,
} from './import-rows.js';
import { fields as fieldNames, imports as names } from './import-texts.js';
import styles from './import-page.module.css';
import { useImport } from './use-import.js';

/** Imports a CSV file: choose it, map its columns, check, and import. The browser stores none of it. */
export function ImportPage() {
  const [file, setFile] = useState<CsvFile | null>(null);
  const [problem, setProblem] = useState<string | null>(null);
  const reject = (why: string | null) => {
    setFile(null);
    setProblem(why);
  };
  const choose = async (chosen: File | undefined) => {
    if (!chosen) return reject(null);
    if (chosen.size > MAX_SIZE) return reject(names.tooLarge);
    try {
      const read = await readCsv(chosen);
      if (read.records.length === 0) return reject(names.empty);
      setProblem(null);
      setFile(read);
    } catch (error) {
      reject(`${names.unreadable} ${(error as Error).message}`);
    }
  };
  return (
    <Page title={names.title} trail={<Trail />}>
      <p>{names.details}</p>
      <Panel label={names.file}>
        <FieldRow>
          <TextField
            label={names.file}
            hint={names.fileHint}
            name="file"
            type="file"
            accept=".csv,text/csv"
            onChange={({ target }) => void choose(target.files?.[0])}
          />
        </FieldRow>
        <Muted>{names.fieldsOf(listOf(true), listOf(false))}</Muted>
        {problem && <p role="alert">{problem}</p>}
      </Panel>
      {file && <ImportOfFile key={file.columns.join()} file={file} />}
    </Page>
  );
}

/** The names of the required and optional fields. */
const listOf = (isRequired: boolean) =>
  FIELDS.filter((field) => REQUIRED.includes(field) === isRequired)
    .map((field) => fieldNames[field])
    .join(', ');

const Trail = () => (
  <Breadcrumbs
    links={[
      <ListLink key="list" to="/licenses" name={texts.licenses.title} />,
      <Link to="/licenses/import" aria-current="page">
        {names.title}
      </Link>,
    ]}
  />
);

/** The default services and project for rows that have none. */
const SERVICES = 'defaultServices';
const PROJECT = 'defaultProject';

function ImportOfFile({ file }: { readonly file: CsvFile }) {
  const [mapping, setMapping] = useState<Mapping>(() => suggestedMapping(file));
  const { progress, error, wait, send, stop, reset } = useImport();
  const isRunning = progress !== null && !progress.isOver;
  // A check is of this file. Its corrected version keeps the chosen columns.
  useEffect(reset, [file, reset]);
  const isComplete = progress?.isOver === true && progress.outcomes.length === progress.all;
  const isChecked = isComplete && progress.mode === 'check';
  const isImported = isComplete && progress.mode === 'create';
  const count = progress?.outcomes.filter(({ outcome }) => outcome === 'created').length ?? 0;
  const run = (fields: FormData) => {
    const rows = file.records.map((record) => toRow(record, mapping));
    const services = fields.getAll(SERVICES) as LicensedService[];
    const project = textOf(fields, PROJECT);
    const defaults = {
      ...(OFFERED_SERVICES.length > 0 && { services }),
      ...(project !== '' && { project }),
    };
    void send(isChecked ? 'create' : 'check', { source: textOf(fields, 'source'), defaults, rows });
  };
  const change = (field: ImportField, column: string) => {
    const { [field]: _former, ...others } = mapping;
    setMapping(column === '' ? others : { ...others, [field]: column });
  };
  return (
    <form
      // The rows that were checked.
      onChange={reset}
      onSubmit={(event) => {
        event.preventDefault();
        if (!isRunning) run(new FormData(event.currentTarget));
      }}
    >
      <Panel label={names.columns}>
        <h2>{names.columns}</h2>
        <Muted>{names.columnsDetails(file.records.length)}</Muted>
        <div className={styles.columns}>
          {FIELDS.map((field) => (
            <ColumnField
              key={field}
              field={field}
              file={file}
              column={mapping[field] ?? ''}
              onChange={(column) => change(field, column)}
            />
          ))}
        </div>
      </Panel>
      <Panel label={names.allRows}>
        <h2>{names.allRows}</h2>
        <FieldRow>
          <TextField
            label={names.source}
            hint={names.sourceHint}
            {...inputs.importLicenses.source}
            defaultValue="csv"
            required
            autoComplete="off"
          />
          <TextField
            label={names.project}
            hint={names.projectHint}
            {...inputs.createProject.projectName}
            name={PROJECT}
            required={!mapping.project && !mapping.product}
            autoComplete="off"
          />
          <ServicesField
            label={names.services}
            input={{ name: SERVICES }}
            initial={OFFERED_SERVICES.slice(0, 1)}
          />
        </FieldRow>
      </Panel>
      {progress && <ImportOutcomes {...progress} />}
      <Foot
        notes={
          <>
            <p role="status">
              {progress && names.progress(progress.outcomes.length, progress.all)}
            </p>
            <Waiting wait={wait} />
            {error && <ErrorNote error={error} />}
          </>
        }
      >
        {isRunning && (
          <button type="button" onClick={stop}>
            {names.stop}
          </button>
        )}
        {isImported && (
          <Link to="/licenses" className={`${buttons.link} ${buttons.primary}`}>
            {names.view}
          </Link>
        )}
        {!isRunning && !isImported && !(isChecked && count === 0) && (
          <button type="submit" className={buttons.primary}>
            {isChecked ? names.create(count) : names.check}
          </button>
        )}
      </Foot>
    </form>
  );
}

interface ColumnProps {
  readonly field: ImportField;
  readonly file: CsvFile;
  readonly column: string;
  readonly onChange: (column: string) => void;
}

function ColumnField({ field, file: { columns, records }, column, onChange }: ColumnProps) {
  const example = column && records.find((record) => record[column])?.[column];
  const missing = field === 'ref' ? names.refHint : undefined;
  const hint = example ? names.example(example.slice(0, 40)) : missing;
  return (
    <SelectField
      label={fieldNames[field]}
      hint={hint}
      name={field}
      value={column}
      required={REQUIRED.includes(field)}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{names.notImported}</option>
      {columns.map((one) => (
        <option key={one} value={one}>
          {one}
        </option>
      ))}
    </SelectField>
  );
}
