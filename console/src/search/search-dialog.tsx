import { lazy, Suspense, useState } from 'react';
import { Dialog, preloadDialogs } from '../shared/dialog.js';
import type { Action } from '../shared/ui/action-menu.js';
import { search as names } from './search-texts.js';

const load = () => import('./search-palette.js');
const SearchPalette = lazy(async () => ({ default: (await load()).SearchPalette }));
const Shortcuts = lazy(async () => ({ default: (await import('./shortcuts.js')).Shortcuts }));

/** Preloads the code of the search. */
export const preloadSearch = (): void => {
  preloadDialogs();
  void load().catch(() => undefined);
};

interface Props {
  readonly initial: string;
  readonly onClose: () => void;
}

/** The global search, or the dialog of an action chosen there. Its code loads on first use. */
export function SearchDialog({ initial, onClose }: Props) {
  const [chosen, choose] = useState<Action['dialog'] | null>(null);
  if (chosen) {
    return (
      <Dialog key={chosen.title} title={chosen.title} onClose={onClose}>
        {chosen.content(onClose)}
      </Dialog>
    );
  }
  return (
    <Dialog title={names.title} onClose={onClose}>
      <Suspense fallback={null}>
        <SearchPalette
          initial={initial}
          onClose={onClose}
          onChoose={({ dialog }) => choose(dialog)}
        />
      </Suspense>
    </Dialog>
  );
}

/** The list of keyboard shortcuts. */
export const ShortcutsDialog = ({ onClose }: Pick<Props, 'onClose'>) => (
  <Dialog title={names.shortcutsTitle} onClose={onClose}>
    <Suspense fallback={null}>
      <Shortcuts onClose={onClose} />
    </Suspense>
  </Dialog>
);
