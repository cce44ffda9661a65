import { lazy, Suspense } from 'react';
import { Dialog, preloadDialogs } from '../shared/dialog.js';
import { search as names } from './search-texts.js';

const load = () => import('./search-palette.js');
const SearchPalette = lazy(async () => ({ default: (await load()).SearchPalette }));

/** Preloads the code of the search. */
export const preloadSearch = (): void => {
  preloadDialogs();
  void load().catch(() => undefined);
};

interface Props {
  readonly initial: string;
  readonly onClose: () => void;
}

/** The global search. Its code loads on first use. */
export const SearchDialog = (props: Props) => (
  <Dialog title={names.title} onClose={props.onClose}>
    <Suspense fallback={null}>
      <SearchPalette {...props} />
    </Suspense>
  </Dialog>
);
