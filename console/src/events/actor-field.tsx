import { useQuery } from '@tanstack/react-query';
import { apiKeysQuery } from '../api-keys/api-key-queries.js';
import { useMay } from '../api/use-may.js';
import { SelectField } from '../shared/fields.js';
import { membersQuery } from '../team/team-queries.js';
import { titles } from '../app/navigation-texts.js';
import { eventList as names } from './event-list-texts.js';

interface Props {
  readonly actor: string | undefined;
  readonly onChange: (actor: string) => void;
}

/** Chooses a member or an API key. Hidden from users who may not list both. */
export function ActorField({ actor, onChange }: Props) {
  const may = useMay();
  const enabled = may('listMembers') && may('listApiKeys');
  const members = useQuery({ ...membersQuery, enabled }).data;
  const apiKeys = useQuery({ ...apiKeysQuery, enabled }).data;
  if (!members || !apiKeys) return null;
  const groups = [
    [titles.team, members.map(({ _id, name, email }) => [_id, name ?? email] as const)],
    [titles.apiKeys, apiKeys.map(({ _id, name }) => [_id, name] as const)],
  ] as const;
  const isListed = groups.some(([, all]) => all.some(([id]) => id === actor));
  return (
    <SelectField
      label={names.actor}
      name="actor"
      value={actor ?? ''}
      onChange={({ target }) => onChange(target.value)}
    >
      <option value="">{names.any}</option>
      {actor !== undefined && !isListed && <option value={actor}>{names.otherActor}</option>}
      {groups.map(
        ([label, all]) =>
          all.length > 0 && (
            <optgroup key={label} label={label}>
              {all.map(([id, name]) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </optgroup>
          ),
      )}
    </SelectField>
  );
}
