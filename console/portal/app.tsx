import { useEffect, useMemo, useState } from 'react';
import { ErrorNote } from '../src/shared/error-note.js';
import { Loading } from '../src/shared/ui/loading.js';
import { Muted } from '../src/shared/ui/muted.js';
import { NarrowMain } from '../src/shared/ui/narrow-main.js';
import { LicensesPage } from './licenses-page.js';
import { codeOf, type Licenses, requestsOf, type Vendor } from './requests.js';
import { LinkPage, SignInPage } from './sign-in-pages.js';
import { texts } from './texts.js';
import { VendorHeader } from './vendor-header.js';

interface Props {
  readonly issuer: string;
  /** The token from a link; empty if there is none. */
  readonly token: string;
}

type View =
  | { readonly name: 'loading' | 'missing' | 'link' | 'signIn' | 'signedOut' }
  | { readonly name: 'failed'; readonly error: Error }
  | { readonly name: 'licenses'; readonly licenses: Licenses };

/** The portal of one vendor, identified by the issuer. */
export function App({ issuer, token }: Props) {
  const requests = useMemo(() => requestsOf(issuer), [issuer]);
  const [vendor, setVendor] = useState<Vendor | null>(null);
  const [view, show] = useState<View>({ name: 'loading' });

  const showLicenses = async () =>
    show({ name: 'licenses', licenses: await requests.readLicenses() });
  /** Handles a failure that affects the whole page; returns false for any other. */
  const onFailure = (error: unknown, ended: 'signIn' | 'signedOut' = 'signedOut'): boolean => {
    const code = codeOf(error);
    if (code === 'PORTAL_SESSION_ENDED') show({ name: ended });
    else if (code === 'PORTAL_NOT_FOUND' || code === 'ROUTE_NOT_FOUND') show({ name: 'missing' });
    else return false;
    return true;
  };
  const start = async () => {
    show({ name: 'loading' });
    try {
      setVendor(await requests.readVendor());
      if (token === '') await showLicenses();
      else show({ name: 'link' });
    } catch (error) {
      if (!onFailure(error, 'signIn')) show({ name: 'failed', error: error as Error });
    }
  };
  useEffect(() => void start(), [issuer, token]);
  const signOut = async () => {
    await requests.signOut();
    show({ name: 'signIn' });
  };

  if (view.name === 'missing') return <MissingPage />;
  return (
    <>
      <title>{vendor === null ? texts.title : `${texts.title} · ${vendor.name}`}</title>
      {vendor && (
        <VendorHeader vendor={vendor}>
          {view.name === 'licenses' && (
            <>
              <Muted isInline>
                {texts.signedInAs} {view.licenses.clientEmail}
              </Muted>
              <button type="button" onClick={() => void signOut()}>
                {texts.signOut}
              </button>
            </>
          )}
        </VendorHeader>
      )}
      {content()}
    </>
  );

  function content() {
    switch (view.name) {
      case 'missing':
      case 'loading':
        return <main>{vendor === null && <Loading />}</main>;
      case 'failed':
        return (
          <main>
            <ErrorNote error={view.error} onRetry={start} />
          </main>
        );
      case 'link':
        return (
          <LinkPage
            signIn={async () => {
              await requests.signIn(token);
              await showLicenses();
            }}
            otherwise={
              <button type="button" onClick={() => show({ name: 'signIn' })}>
                {texts.newLink}
              </button>
            }
          />
        );
      case 'signIn':
      case 'signedOut':
        return (
          <SignInPage
            vendor={vendor!}
            hasEnded={view.name === 'signedOut'}
            askForLink={requests.askForLink}
          />
        );
      case 'licenses':
        return (
          <LicensesPage
            initial={view.licenses}
            mailsKeys={vendor!.mailsLinks}
            requests={requests}
            onFailure={onFailure}
          />
        );
    }
  }
}

const MissingPage = () => (
  <NarrowMain>
    <title>{texts.missing}</title>
    <h1>{texts.missing}</h1>
    <p>{texts.missingDetails}</p>
  </NarrowMain>
);
