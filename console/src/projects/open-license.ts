import { useNavigate } from '@tanstack/react-router';
import { notify } from '../shared/notices.js';
import { texts } from '../texts.js';

/** Opens the page of a new license, with a notice. */
export function useOpenLicense() {
  const navigate = useNavigate();
  return async ({ license }: { license: { _id: string } }) => {
    await navigate({ to: '/licenses/$id', params: { id: license._id } });
    notify(texts.licenses.created);
  };
}
