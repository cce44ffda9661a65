import { Link } from '@tanstack/react-router';
import { Page } from '../shared/page.js';
import { NarrowMain } from '../shared/ui/narrow-main.js';
import { texts } from '../texts.js';

export function NotFound() {
  return (
    <NarrowMain>
      <Page title={texts.errors.notFound}>
        <p>
          <Link to="/">{texts.errors.toOverview}</Link>
        </p>
      </Page>
    </NarrowMain>
  );
}
