import { Link } from '@tanstack/react-router';
import { Page } from '../shared/page.js';
import { texts } from '../texts.js';

export const NotFound = () => (
  <Page title={texts.errors.notFound}>
    <p>
      <Link to="/">{texts.errors.toOverview}</Link>
    </p>
  </Page>
);
