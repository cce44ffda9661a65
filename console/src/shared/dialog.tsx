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
import { notify } from './notices.js';
import { Foot } from './ui/foot.js';

const load = () => import('./ui/modal-dialog.js');
const ModalDialog = lazy(async () => ({ default: (await load()).ModalDialog }));

/** A modal dialog. Its code loads with the first one. */
export function Dialog(props: ComponentProps<typeof ModalDialog>) {
  useEffect(() => {
    // Clears the notice about an earlier action.
    notify(null);
    return noteOpenDialog();
  }, []);
  return (
    <Suspense fallback={null}>
      <DialogTitle value={props.title}>
        <ModalDialog {...props} />
      </DialogTitle>
    </Suspense>
  );
}

/** Preloads the code of dialogs. */
export const preloadDialogs = (): void => void load().catch(() => undefined);

/** The only button of a dialog that has nothing to submit. */
export const CloseAction = ({ onClose }: { readonly onClose: () => void }) => (
  <Foot>
    <button type="button" autoFocus onClick={onClose}>
      {texts.close}
    </button>
  </Foot>
);

/** The scopes and titles of the dialogs that opened automatically. */
const reopened = new Set<string>();

/**
 * Tracks which dialog of a button or menu is open. A dialog with a draft opens again after a reload: only once, even if
 * several buttons open the same dialog, such as on a page and in its empty list.
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
  // Runs synchronously, because elements made inert by a dialog can't take the focus in the next frame.
  return [opened, (dialog: Opened | null) => flushSync(() => open(dialog))] as const;
}
