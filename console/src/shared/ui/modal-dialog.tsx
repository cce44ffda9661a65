import { type ReactNode, useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { Dialog, Heading, Modal, ModalOverlay } from 'react-aria-components';
import { texts } from '../../texts.js';
import buttons from './button.module.css';
import { Foot } from './foot.js';
import styles from './modal-dialog.module.css';

interface Props {
  readonly title: string;
  readonly onClose: () => void;
  readonly children: ReactNode;
}

/**
 * A modal dialog. It traps the focus, and returns it when it closes. Escape asks for confirmation before it
 * discards input.
 */
export function ModalDialog({ title, onClose, children }: Props) {
  const content = useRef<HTMLDivElement>(null);
  const edited = useRef<Element>(null);
  const [isAsking, setAsking] = useState(false);
  const keepEditing = () => {
    flushSync(() => setAsking(false));
    if (edited.current instanceof HTMLElement) edited.current.focus();
  };
  const leave = () => {
    if (isAsking) return keepEditing();
    if (!hasInput(content.current)) return onClose();
    edited.current = document.activeElement;
    setAsking(true);
  };
  return (
    <ModalOverlay isOpen onOpenChange={leave} className={styles.overlay}>
      <Modal className={styles.modal}>
        <Dialog className={styles.dialog}>
          <Heading slot="title">{title}</Heading>
          <div ref={content} hidden={isAsking} className={styles.dialog}>
            {children}
          </div>
          {isAsking && (
            <>
              <p>{texts.discard.question}</p>
              <Foot>
                <button type="button" autoFocus onClick={keepEditing}>
                  {texts.discard.keep}
                </button>
                <button type="button" className={buttons.danger} onClick={onClose}>
                  {texts.discard.action}
                </button>
              </Foot>
            </>
          )}
        </Dialog>
      </Modal>
    </ModalOverlay>
  );
}

/** Whether a form has a text that the user has entered. */
const hasInput = (content: HTMLElement | null): boolean =>
  [...(content?.querySelectorAll<HTMLInputElement>('form :is(input, textarea)[name]') ?? [])].some(
    ({ type, value, defaultValue, checked, defaultChecked }) =>
      type === 'checkbox' ? checked !== defaultChecked : value !== defaultValue,
  );
