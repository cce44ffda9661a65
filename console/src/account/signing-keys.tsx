import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '../shared/copy-button.js';
import { Loaded } from '../shared/loaded.js';
import { texts } from '../texts.js';
import { signingKeysQuery } from './account-queries.js';
import { forNode, forPython, keySetAddress } from './key-snippets.js';
import { RotateKeys } from './rotate-keys.js';

const { account: names } = texts;

/** What shipped software needs to verify certificates, in the form that each SDK takes. */
export function SigningKeys() {
  const keys = useQuery(signingKeysQuery);
  return (
    <section className="panel" aria-label={names.keys}>
      <h2>{names.keys}</h2>
      <p>{names.keysDetails}</p>
      <Loaded query={keys}>
        {(data) => (
          <>
            <Snippet title={names.node} copy={names.copyNode} text={forNode(data)} />
            <Snippet title={names.python} copy={names.copyPython} text={forPython(data)} />
            <Snippet
              title={names.server}
              details={names.serverDetails}
              copy={names.copyAddress}
              text={keySetAddress(data, location.origin)}
            />
            <p>
              <RotateKeys current={data.current.kid} />
            </p>
          </>
        )}
      </Loaded>
    </section>
  );
}

interface SnippetProps {
  readonly title: string;
  readonly details?: string;
  readonly copy: string;
  readonly text: string;
}

const Snippet = ({ title, details, copy, text }: SnippetProps) => (
  <section className="snippet" aria-label={title}>
    <div className="panel-head">
      <h3>{title}</h3>
      <CopyButton label={copy} text={async () => text} />
    </div>
    {details && <p className="muted">{details}</p>}
    <pre tabIndex={0} aria-label={title}>
      {text}
    </pre>
  </section>
);
