import type { ApiError } from '../api/api-error.js';
import { bodyOf, publicApi } from '../api/public-client.js';
import { useWrite } from '../api/use-write.js';
import { session } from '../session/session.js';
import { Form } from '../shared/form.js';
import { Page } from '../shared/page.js';
import buttons from '../shared/ui/button.module.css';
import { worksHere } from './passkeys.js';
import { ProofFields, proofOf } from './proof-fields.js';
import { signIn as names } from './security-texts.js';

interface Props {
  /** The second factors that the service accepts in addition to the password. */
  readonly due: ApiError['body'];
  readonly onRestart: () => void;
}

/** The second step of signing in. */
export function FactorStep({ due, onRestart }: Props) {
  const { challenge = '', factors = [], passkeyOptions } = due;
  const logIn = useWrite(async (fields: FormData) => {
    const proof = await proofOf(fields, async () => passkeyOptions);
    const body = { challenge, ...proof };
    await session.start(() => bodyOf(publicApi.POST('/console/session/factor', { body })));
  });
  const usable = factors.filter(
    (factor) => factor !== 'passkey' || worksHere(passkeyOptions?.rpId),
  );
  return (
    <Page title={names.title}>
      <Form write={logIn} submit={names.submit} onSubmit={(fields) => logIn.submit(fields)}>
        <ProofFields factors={usable.length > 0 ? usable : factors} />
      </Form>
      <button type="button" className={buttons.quiet} onClick={onRestart}>
        {names.restart}
      </button>
    </Page>
  );
}
