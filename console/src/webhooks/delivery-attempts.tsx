import type { DeliveryAttempt } from '../api/types.js';
import { Badge } from '../shared/badge.js';
import { Time } from '../shared/time.js';
import { Muted } from '../shared/ui/muted.js';
import { Stack } from '../shared/ui/stack.js';
import styles from './delivery-attempts.module.css';
import { resultOfAttempt } from './delivery-result.js';
import { deliveries as names } from './webhook-texts.js';

/** The attempts of a delivery and their responses, newest first. */
export const DeliveryAttempts = ({
  attempts,
}: {
  readonly attempts: readonly DeliveryAttempt[];
}) => (
  <Stack isTight>
    <h2>{names.attempts}</h2>
    {attempts.length === 0 && <Muted>{names.noAttempts}</Muted>}
    <ol className={styles.attempts}>
      {attempts.map((attempt) => (
        <li key={attempt.startedAt}>
          <div className={styles.line}>
            <Badge look={attempt.error ? 'revoked' : 'active'}>{resultOfAttempt(attempt)}</Badge>
            <Time at={attempt.endedAt} />
            <Muted isInline>{names.took(millisecondsOf(attempt))}</Muted>
          </div>
          <Response response={attempt.response} />
        </li>
      ))}
    </ol>
  </Stack>
);

function Response({ response }: Pick<DeliveryAttempt, 'response'>) {
  if (response === null) return null;
  if (response.trim() === '') return <Muted>{names.emptyResponse}</Muted>;
  return (
    <pre tabIndex={0} aria-label={names.response}>
      {response}
    </pre>
  );
}

const millisecondsOf = ({ startedAt, endedAt }: DeliveryAttempt) =>
  Date.parse(endedAt) - Date.parse(startedAt);
