import { type ComponentProps, lazy, Suspense } from 'react';

const load = () => import('./ui/modal-dialog.js');
const ModalDialog = lazy(async () => ({ default: (await load()).ModalDialog }));

/** A modal dialog, whose code is loaded with the first one. */
export const Dialog = (props: ComponentProps<typeof ModalDialog>) => (
  <Suspense fallback={null}>
    <ModalDialog {...props} />
  </Suspense>
);

/** Loads the code of dialogs before one opens. */
export const preloadDialogs = (): void => void load().catch(() => undefined);
