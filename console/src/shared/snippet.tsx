import { CopyButton } from './copy-button.js';
import styles from './snippet.module.css';

interface Props {
  readonly title: string;
  readonly details?: string | undefined;
  /** The label of the button that copies the text. */
  readonly copy: string;
  readonly text: string;
}

/** Text that belongs into a program or a terminal, with a button that copies it. */
export const Snippet = ({ title, details, copy, text }: Props) => (
  <section className={styles.snippet} aria-label={title}>
    <div className="panel-head">
      <h2>{title}</h2>
      <CopyButton label={copy} text={async () => text} />
    </div>
    {details && <p className="muted">{details}</p>}
    <pre tabIndex={0} aria-label={title}>
      {text}
    </pre>
  </section>
);
