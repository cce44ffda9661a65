import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { signingKeysQuery } from '../account/account-queries.js';
import type { SigningKeys } from '../api/types.js';
import { useMay } from '../api/use-may.js';
import { SelectField } from '../shared/fields.js';
import { Loaded } from '../shared/loaded.js';
import { Page } from '../shared/page.js';
import { Snippet } from '../shared/snippet.js';
import { FieldRow } from '../shared/ui/field-row.js';
import { Muted } from '../shared/ui/muted.js';
import { Panel } from '../shared/ui/panel.js';
import { curlOf } from './curl.js';
import { integrate as names, languages } from './integrate-texts.js';
import type { Integration } from './integration.js';
import { type Language, PROGRAMS } from './programs/languages.js';
import { filled } from './programs/program.js';
import { useProducts } from './use-products.js';

const LANGUAGES = Object.keys(PROGRAMS) as Language[];

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
              <Choice {...{ language, product, listed }} />
              <Loaded query={keys}>
                {(data) => (
                  <Steps language={language} product={product ?? names.example} keys={data} />
                )}
              </Loaded>
            </>
          );
        }}
      </Loaded>
      <Muted>
        <a href="/docs">{names.documentation}</a>. {names.documentationDetails}
      </Muted>
    </Page>
  );
}

interface ChoiceProps {
  readonly language: Language;
  readonly product: string | undefined;
  readonly listed: readonly string[];
}

/** Each choice has its own address, so it can be shared. */
function Choice({ language, product, listed }: ChoiceProps) {
  const may = useMay();
  const navigate = useNavigate({ from: '/integrate' });
  const choose = (change: Integration) =>
    void navigate({ search: (before) => ({ ...before, ...change }), replace: true });
  return (
    <Panel label={names.choice}>
      <FieldRow>
        <SelectField
          label={names.language}
          name="language"
          value={language}
          onChange={({ target }) => choose({ language: target.value })}
        >
          {LANGUAGES.map((one) => (
            <option key={one} value={one}>
              {languages[one]}
            </option>
          ))}
        </SelectField>
        {product !== undefined && (
          <SelectField
            label={names.product}
            name="product"
            value={product}
            onChange={({ target }) => choose({ product: target.value })}
          >
            {listed.map((one) => (
              <option key={one} value={one}>
                {one}
              </option>
            ))}
          </SelectField>
        )}
      </FieldRow>
      {product !== undefined ? (
        <Muted>{names.productHint}</Muted>
      ) : (
        <p>
          {names.noProduct} {may('updateProject') && <Link to="/clients">{names.toClients}</Link>}
        </p>
      )}
    </Panel>
  );
}

interface StepsProps {
  readonly language: Language;
  readonly product: string;
  readonly keys: SigningKeys;
}

function Steps({ language, product, keys: { issuer, current, next } }: StepsProps) {
  const program = PROGRAMS[language];
  const service = location.origin;
  const folder = `/var/lib/${product.split('.').at(-1)}`;
  return (
    <>
      <Panel label={names.program(program.file)}>
        <Snippet
          title={names.install}
          details={program.install.details}
          copy={names.copyInstall}
          text={program.install.lines.join('\n')}
        />
        <Snippet
          title={names.program(program.file)}
          details={names.programDetails}
          copy={names.copyProgram}
          text={filled(program, { service, issuer, current, next, product, folder })}
        />
      </Panel>
      <Panel label={names.try}>
        <Snippet
          title={names.try}
          details={names.tryDetails}
          copy={names.copyTry}
          text={curlOf(service, product)}
        />
      </Panel>
    </>
  );
}
