import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { signingKeysQuery } from '../account/account-queries.js';
import type { SigningKeys } from '../api/types.js';
import { useMay } from '../api/use-may.js';
import { SERVICE } from '../shared/deployment.js';
import { SelectField } from '../shared/fields.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { Snippet } from '../shared/snippet.js';
import { FieldRow } from '../shared/ui/field-row.js';
import { Muted } from '../shared/ui/muted.js';
import { Panel } from '../shared/ui/panel.js';
import { FirstActivation } from './first-activation.js';
import { integrate as names } from './integrate-texts.js';
import { LanguageTabs } from './language-tabs.js';
import { type Language, PROGRAMS } from './programs/languages.js';
import { filled, isForShell, pastedBlock } from './programs/program.js';
import { TryIt } from './try-it.js';
import { useProducts } from './use-products.js';

const isLanguage = (name: string): name is Language => Object.hasOwn(PROGRAMS, name);

/** A licensed program in each language, filled in with the account's values. */
export function IntegratePage() {
  const search = useSearch({ from: '/member/integrate' });
  const keys = useQuery(signingKeysQuery);
  const products = useProducts();
  const { language: chosen = '' } = search;
  const language = isLanguage(chosen) ? chosen : 'node';
  return (
    <Page title={names.title}>
      <p>{names.details}</p>
      <Loaded query={products}>
        {(listed) => {
          const isListed = search.product !== undefined && listed.includes(search.product);
          const product = isListed ? search.product : listed[0];
          return (
            <>
              <LanguageTabs chosen={language} />
              <Choice {...{ product, listed }} />
              <Loaded query={keys}>
                {(data) => (
                  <Steps language={language} product={product ?? names.example} keys={data} />
                )}
              </Loaded>
              <FirstActivation />
            </>
          );
        }}
      </Loaded>
      <Muted>
        <a href={`${SERVICE}/docs`}>{names.documentation}</a>. {names.documentationDetails}
      </Muted>
    </Page>
  );
}

interface ChoiceProps {
  readonly product: string | undefined;
  readonly listed: readonly string[];
}

/** Each choice has its own URL, so it can be shared. */
function Choice({ product, listed }: ChoiceProps) {
  const may = useMay();
  const navigate = useNavigate({ from: '/integrate' });
  if (product === undefined) {
    return (
      <p>
        {names.noProduct} {may('updateProject') && <Link to="/clients">{names.toClients}</Link>}
      </p>
    );
  }
  return (
    <FieldRow>
      <SelectField
        label={names.product}
        hint={names.productHint}
        name="product"
        value={product}
        onChange={({ target }) =>
          void navigate({
            search: (before) => ({ ...before, product: target.value }),
            replace: true,
          })
        }
      >
        {listed.map((one) => (
          <option key={one} value={one}>
            {one}
          </option>
        ))}
      </SelectField>
    </FieldRow>
  );
}

interface StepsProps {
  readonly language: Language;
  readonly product: string;
  readonly keys: SigningKeys;
}

function Steps({ language, product, keys: { issuer, current, next } }: StepsProps) {
  const program = PROGRAMS[language];
  const { blocks } = program.install;
  const name = String(product.split('.').at(-1));
  // One folder per language, so an example in a second language doesn't find the first one's license.
  const folder = `/var/lib/${name}-${language}`;
  const file = named(program.file, name);
  return (
    <>
      <Panel label={names.install}>
        <h2>{names.install}</h2>
        <Muted>
          {named(program.install.details, name)}{' '}
          {blocks.some(({ place }) => isForShell(place)) && names.folders}
        </Muted>
        {blocks.map((block) => (
          <Snippet
            key={block.place}
            title={names.places[block.place]}
            copy={names.copyPlace(names.places[block.place])}
            text={named(pastedBlock(block), name)}
          />
        ))}
      </Panel>
      <Panel label={names.program(file)}>
        <Snippet
          title={names.program(file)}
          details={names.programDetails}
          copy={names.copyProgram}
          text={filled(program, { service: SERVICE, issuer, current, next, product, folder })}
        />
      </Panel>
      <TryIt key={product} service={SERVICE} product={product} />
    </>
  );
}

/** Replaces the example's name in a text with the app's name. */
const named = (text: string, name: string) =>
  text.replaceAll('web-shop', name).replaceAll('web_shop', name.replaceAll('-', '_'));
