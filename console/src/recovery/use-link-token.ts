import { useEffect, useState } from 'react';
import { useLocation, useNavigate } from '@tanstack/react-router';

/** The token in the fragment of a mailed link. It is removed from the browser history. */
export function useLinkToken(): string {
  const { hash } = useLocation();
  const navigate = useNavigate();
  const [token] = useState(hash);
  useEffect(() => {
    if (hash !== '') void navigate({ to: '.', hash: '', replace: true });
  }, [hash, navigate]);
  return token;
}
