import {
  type ComponentProps,
  lazy,
  Suspense,
  use,
  useEffect,
  useLayoutEffect,
  useState,
} from 'react';
import { flushSync } from 'react-dom';
import { noteOpenDialog } from '../api/query-client.js';
import { texts } from '../texts.js';
import { DialogTitle, DraftScope, hasDraft } from './drafts.js';
import { Foot } from './ui/foot.js';

const load = () => import('./ui/modal-dialog.js');
const ModalDialog = lazy(async () => ({ default: (await load()).ModalDialog }));

/** A modal dialog, whose code is loaded with the first one. */
export function Dialog(props: ComponentProps<typeof ModalDialog>) {
  useEffect(noteOpenDialog, []);
  return (
    <Suspense fallback={null}>
      <DialogTitle value={props.title}>
        <ModalDialog {...props} />
      </DialogTitle>
    </Suspense>
  );
}

/** Loads the code of dialogs before one opens. */
export const preloadDialogs = (): void => void load().catch(() => undefined);

/** The only button of a dialog that has nothing to submit. */
export const CloseAction = ({ onClose }: { readonly onClose: () => void }) => (
  <Foot>
    <button type="button" autoFocus onClick={onClose}>
      {texts.close}
    </button>
  </Foot>
);

/** The scopes and titles of the dialogs that have opened by themselves. */
const reopened = new Set<string>();

/**
 * Which dialog of a button, or of a menu, is open. It opens again by itself where something was entered when the page was
 * reloaded: once, where several buttons open the same, such as those of a page and of its empty list.
 */
export function useOpenDialog<Opened extends { readonly title: string }>(
  dialogs: readonly Opened[],
) {
  const [opened, open] = useState<Opened | null>(null);
  const scope = use(DraftScope);
  const [initial] = useState(dialogs);
  useLayoutEffect(() => {
    const dialog = initial.find(({ title }) => hasDraft(scope, title));
    const name = scope + dialog?.title;
    if (!dialog || reopened.has(name)) return undefined;
    reopened.add(name);
    open(dialog);
    return () => void reopened.delete(name);
  }, [scope, initial, open]);
  // At once: what is inert beside a dialog cannot get the focus back in the next frame.
  return [opened, (dialog: Opened | null) => flushSync(() => open(dialog))] as const;
}
