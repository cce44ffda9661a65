import { Code } from './code.js';
import { CopyButton } from './copy-button.js';
import styles from './snippet.module.css';
import { Muted } from './ui/muted.js';
import { PanelHead } from './ui/panel.js';

interface Props {
  readonly title: string;
  readonly details?: string | undefined;
  /** The label of the button that copies the text. */
  readonly copy: string;
  readonly text: string;
}

/** Text to paste into a program or a terminal, with a copy button. */
export const Snippet = ({ title, details, copy, text }: Props) => (
  <section className={styles.snippet} aria-label={title}>
    <PanelHead title={title}>
      <CopyButton label={copy} text={async () => text} />
    </PanelHead>
    {details && <Muted>{details}</Muted>}
    <pre tabIndex={0} aria-label={title}>
      <Code text={text} />
    </pre>
  </section>
);
