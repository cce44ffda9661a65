import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { CircleCheck, CircleDashed } from 'lucide-react';
import { useState } from 'react';
import { api } from '../api/client.js';
import { bodyOf } from '../api/public-client.js';
import { pollEvery } from '../api/query-client.js';
import { useMay } from '../api/use-may.js';
import styles from './first-activation.module.css';
import { integrate as names } from './integrate-texts.js';

/** Milliseconds between checks for an activation. */
const POLLING = 3000;

/** Waits for the first activation after the page was opened, and links to its license. */
export function FirstActivation() {
  const may = useMay();
  const [since] = useState(() => new Date().toISOString());
  const { data: activation } = useQuery({
    queryKey: ['events', 'activations', since],
    queryFn: async ({ signal }) => {
      const query = { type: ['license.activated' as const], since, limit: 1 };
      const { data } = await bodyOf(api.GET('/events', { params: { query }, signal }));
      return data[0] ?? null;
    },
    refetchInterval: ({ state: { data } }) => pollEvery(!data && POLLING),
    enabled: may('listEvents'),
  });
  if (!may('listEvents')) return null;
  const Icon = activation ? CircleCheck : CircleDashed;
  return (
    <p role="status" className={activation ? styles.done : styles.waiting}>
      <Icon size={20} aria-hidden />
      {activation ? (
        <span>
          {names.activated(activation.actor.name)}{' '}
          <Link to="/licenses/$id" params={{ id: activation.subject.id }}>
            {activation.subject.name}
          </Link>
        </span>
      ) : (
        names.waiting
      )}
    </p>
  );
}
