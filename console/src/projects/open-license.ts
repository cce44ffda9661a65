import { useNavigate } from '@tanstack/react-router';
import { notify } from '../shared/notices.js';

/** Leads to the page of a license that was just issued, and says so there. */
export function useOpenLicense() {
  const navigate = useNavigate();
  return async ({ license, message }: { license: { _id: string }; message: string }) => {
    await navigate({ to: '/licenses/$id', params: { id: license._id } });
    notify(message);
  };
}
