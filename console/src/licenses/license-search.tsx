import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useDeferredValue, useEffect, useState } from 'react';
import * as inputs from '../api/inputs.js';
import { isShortened } from '../../../src/licenses/license-key-form.js';
import { linkTo } from '../search/record-link.js';
import { searchOf, searchQuery } from '../search/search-query.js';
import { search as names } from '../search/search-texts.js';
import { Empty } from '../shared/empty.js';
import { Loaded } from '../shared/loaded.js';
import { Muted } from '../shared/ui/muted.js';
import { VisuallyHidden } from '../shared/ui/visually-hidden.js';
import { texts } from '../texts.js';
import { finding } from './license-texts.js';
import styles from './license-search.module.css';

interface Props {
  readonly text: string;
  readonly onChange: (text: string) => void;
}

/**
 * Finds licenses by anything a customer mentions. The text may be a key, so it stays out of the URL. Enter
 * opens the first.
 */
export function LicenseSearch({ text, onChange }: Props) {
  const navigate = useNavigate();
  const [isEntered, setEntered] = useState(false);
  const wanted = searchOf(text);
  const { data, isFetching } = useQuery(searchQuery(wanted));
  const first = data?.[0];
  useEffect(() => {
    if (!isEntered || isFetching) return;
    setEntered(false);
    if (first) void navigate(linkTo(first, wanted));
  }, [isEntered, isFetching, first, navigate, wanted]);
  return (
    <label className={styles.search}>
      <VisuallyHidden>{texts.search}</VisuallyHidden>
      <input
        type="search"
        value={text}
        maxLength={inputs.search.q.maxLength}
        placeholder={finding.hint}
        autoComplete="off"
        onChange={({ target }) => {
          setEntered(false);
          onChange(target.value);
        }}
        onKeyDown={({ key }) => {
          if (key === 'Enter' && wanted !== '') setEntered(true);
        }}
      />
    </label>
  );
}

/** The search results, shown instead of the list. */
export function LicenseSearchResults({ text }: { readonly text: string }) {
  const q = useDeferredValue(searchOf(text));
  const found = useQuery(searchQuery(q));
  return (
    <Loaded query={found}>
      {(records) =>
        records.length === 0 ? (
          <Empty title={isShortened(q) ? names.incompleteKey : names.none} />
        ) : (
          <ul className={styles.results}>
            {records.map((record) => (
              <li key={`${record.kind} ${record._id}`}>
                <Link {...linkTo(record, q)} dir="auto">
                  {record.title}
                </Link>
                <Muted isInline>{`${names.kinds[record.kind]} · ${record.subtitle}`}</Muted>
              </li>
            ))}
          </ul>
        )
      }
    </Loaded>
  );
}
