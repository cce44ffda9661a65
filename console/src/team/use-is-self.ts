import { useQuery } from '@tanstack/react-query';
import type { Member } from '../api/types.js';
import { accountQuery } from '../api/use-may.js';

/** Whether a member is the current user. */
export const useIsSelf = ({ _id }: Member) => useQuery(accountQuery).data?._id === _id;
