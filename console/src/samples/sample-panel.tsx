import { useQuery } from '@tanstack/react-query';
import { useRouteContext } from '@tanstack/react-router';
import { useMay } from '../api/use-may.js';
import { useWrite } from '../api/use-write.js';
import { ErrorNote } from '../shared/error-note.js';
import { notify } from '../shared/notices.js';
import { Muted } from '../shared/ui/muted.js';
import { Panel, PanelHead } from '../shared/ui/panel.js';
import { Waiting } from '../shared/waiting.js';
import { addSampleData, removeSampleData, sampleQuery } from './sample-data.js';
import { sampleTexts as names } from './sample-texts.js';

interface Props {
  readonly account: string;
}

/** A button that creates sample data. */
export function AddSampleData({ account }: Props) {
  const { submit, isPending, wait, cancel, error } = useWrite(
    (_input: undefined, key) => addSampleData(account, key),
    () => notify(names.added),
  );
  return (
    <>
      <Muted>{names.addDetails}</Muted>
      <button
        type="button"
        aria-disabled={isPending}
        onClick={() => isPending || submit(undefined)}
      >
        {names.add}
      </button>
      <Waiting wait={wait} onStop={cancel} />
      {error && <ErrorNote error={error} />}
    </>
  );
}

/** Shows which records are samples, and removes them. */
export function SamplePanel() {
  const may = useMay();
  const { account } = useRouteContext({ from: '/member' });
  const enabled = account !== null && may('deleteClient');
  const { data: client } = useQuery({ ...sampleQuery(account ?? ''), enabled });
  const { submit, isPending, wait, cancel, error } = useWrite(
    (id: string) => removeSampleData(id),
    () => notify(names.removed),
  );
  if (!client) return null;
  return (
    <Panel label={names.title}>
      <PanelHead title={names.title}>
        <button
          type="button"
          aria-disabled={isPending}
          onClick={() => isPending || submit(client._id)}
        >
          {names.remove}
        </button>
      </PanelHead>
      <Muted>{names.details(client.name)}</Muted>
      <Waiting wait={wait} onStop={cancel} />
      {error && <ErrorNote error={error} />}
    </Panel>
  );
}
