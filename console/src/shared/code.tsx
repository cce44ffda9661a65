import styles from './code.module.css';

const STRING = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`[^`]*`/;
/** Only at the start or after a space, so addresses don't match. */
const COMMENT = /(?<=^|\s)(?:\/\/|# ).*/;
/** Covers all languages of the examples. */
const KEYWORD =
  /\b(?:async|auto|await|case|catch|class|const|def|else|export|final|fn|for|from|func|function|if|import|include|in|int|internal|let|match|mut|namespace|new|not|package|private|public|return|static|struct|switch|throw|throws|try|use|using|var|void|while|true|false|null|nil|None|True|False)\b/;
const TOKEN = new RegExp(
  `(${[STRING, COMMENT, KEYWORD].map(({ source }) => source).join('|')})`,
  'gm',
);

/** Source text with colors. */
export const Code = ({ text }: { readonly text: string }) => (
  <>
    {text.split(TOKEN).map((part, index) =>
      index % 2 === 0 ? (
        part
      ) : (
        <span key={index} className={styles[kindOf(part)]}>
          {part}
        </span>
      ),
    )}
  </>
);

function kindOf(token: string): 'string' | 'comment' | 'keyword' {
  if (/^["'`]/.test(token)) return 'string';
  return /^(?:\/\/|#)/.test(token) ? 'comment' : 'keyword';
}
