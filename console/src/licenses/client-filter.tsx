import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import { rowsOf } from '../api/pages.js';
import { clientQuery, clientsQuery } from '../clients/client-queries.js';
import { Dialog } from '../shared/dialog.js';
import { Loaded } from '../shared/loaded.js';
import { SearchField } from '../shared/search-field.js';
import { ShowMore } from '../shared/show-more.js';
import { texts } from '../texts.js';

interface Props {
  readonly clientId: string | undefined;
  readonly onChange: (clientId: string | undefined) => void;
}

/** Chooses one of perhaps thousands of clients. */
export function ClientFilter({ clientId, onChange }: Props) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const client = useQuery({ ...clientQuery(clientId ?? ''), enabled: clientId !== undefined });
  const name = clientId === undefined ? texts.licenses.any : (client.data?.name ?? clientId);
  const choose = (chosen: string | undefined) => {
    setOpen(false);
    onChange(chosen);
  };
  return (
    <div className="field">
      <span className="label" id={id}>
        {texts.clients.client}
      </span>
      <button
        type="button"
        id={`${id}-button`}
        aria-labelledby={`${id} ${id}-button`}
        aria-haspopup="dialog"
        onClick={() => setOpen(true)}
      >
        {name}
      </button>
      {isOpen && (
        <Dialog title={texts.licenses.chooseClient} onClose={() => setOpen(false)}>
          <ClientChoices onChoose={choose} />
          <div className="actions">
            <button type="button" onClick={() => setOpen(false)}>
              {texts.cancel}
            </button>
          </div>
        </Dialog>
      )}
    </div>
  );
}

function ClientChoices({ onChoose }: { readonly onChoose: Props['onChange'] }) {
  const [search, setSearch] = useState('');
  const clients = useInfiniteQuery(clientsQuery(search || undefined));
  return (
    <>
      <SearchField hint={texts.clients.searchHint} initial="" onSearch={setSearch} />
      <Loaded query={clients}>
        {(pages) => (
          <ul className="choices">
            <li>
              <button type="button" onClick={() => onChoose(undefined)}>
                {texts.licenses.any}
              </button>
            </li>
            {rowsOf(pages).map(({ _id, name, email }) => (
              <li key={_id}>
                <button type="button" onClick={() => onChoose(_id)}>
                  {name} · {email}
                </button>
              </li>
            ))}
          </ul>
        )}
      </Loaded>
      <ShowMore query={clients} />
    </>
  );
}
