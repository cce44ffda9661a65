import { Link } from '@tanstack/react-router';
import { Page } from '../shared/page.js';
import buttons from '../shared/ui/button.module.css';
import { texts } from '../texts.js';

export const NotFound = () => (
  <Page title={texts.errors.notFound}>
    <p>{texts.errors.notFoundDetails}</p>
    <p>
      <Link to="/" className={buttons.link}>
        {texts.errors.toOverview}
      </Link>
    </p>
  </Page>
);
