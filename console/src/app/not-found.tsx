import { Link } from '@tanstack/react-router';
import { Page } from '../shared/page.js';
import { texts } from '../texts.js';

export function NotFound() {
  return (
    <main className="narrow">
      <Page title={texts.errors.notFound}>
        <p>
          <Link to="/">{texts.errors.toOverview}</Link>
        </p>
      </Page>
    </main>
  );
}
