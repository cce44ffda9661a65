import { useQuery } from '@tanstack/react-query';
import { registrationQuery } from '../session/registration.js';

/** Whether the server can send mail; false until that is known. */
export function useIsMailOn(): boolean {
  const { data } = useQuery({ ...registrationQuery, staleTime: Infinity });
  return data?.passwordReset === true;
}
