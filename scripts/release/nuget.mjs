import fs from 'node:fs';
import path from 'node:path';
import { LIBRARIES, run } from './stage.mjs';
import { zip } from './zip.mjs';

const ID = 'LicenseManagementClient';
const NATIVE = 'liblicense_management_client.so';

/** Compiled by Mono, so for .NET Framework and Mono, with the C library for the current platform. */
export function buildNuGet({ staged, folder, version }) {
  const source = path.join(staged, 'sdk/csharp');
  const library = path.join(staged, 'nuget');
  const assembly = path.join(library, 'lib/net461', `${ID}.dll`);
  const native = path.join(library, `runtimes/linux-${process.arch}/native`);
  for (const name of [path.dirname(assembly), native, path.join(library, '_rels')]) {
    fs.mkdirSync(name, { recursive: true });
  }
  const versionFile = path.join(staged, 'Version.cs');
  const attribute = (name) => `[assembly: System.Reflection.${name}("${version}.0")]\n`;
  fs.writeFileSync(versionFile, attribute('AssemblyVersion') + attribute('AssemblyFileVersion'));
  const sources = fs.readdirSync(path.join(source, 'src')).map((name) => `src/${name}`);
  const options = ['-langversion:7.2', '-warnaserror', '-optimize', '-target:library'];
  const outputs = [`-out:${assembly}`, `-doc:${assembly.replace(/dll$/, 'xml')}`];
  run('mcs', [...options, ...outputs, versionFile, ...sources], { cwd: source });
  fs.copyFileSync(path.join(LIBRARIES, NATIVE), path.join(native, NATIVE));
  for (const name of ['README.md', 'LICENSE', 'CHANGELOG.md']) {
    fs.copyFileSync(path.join(source, name), path.join(library, name));
  }
  const licenses = 'THIRD-PARTY-LICENSES.txt';
  const c = path.join(staged, `license-management-client-c-${version}`);
  fs.copyFileSync(path.join(c, licenses), path.join(library, licenses));
  const project = fs.readFileSync(path.join(source, `${ID}.csproj`), 'utf8');
  fs.writeFileSync(path.join(library, `${ID}.nuspec`), manifest(project));
  fs.writeFileSync(path.join(library, '[Content_Types].xml'), CONTENT_TYPES);
  fs.writeFileSync(path.join(library, '_rels/.rels'), RELATIONSHIPS);
  zip(library, path.join(folder, `${ID}.${version}.nupkg`));
}

/** The manifest that `dotnet pack` would write for the project. */
function manifest(project) {
  const value = (name) => new RegExp(`<${name}>(.*)</${name}>`).exec(project)[1];
  return `<?xml version="1.0" encoding="utf-8"?>
<package xmlns="http://schemas.microsoft.com/packaging/2013/05/nuspec.xsd">
  <metadata>
    <id>${value('PackageId')}</id>
    <version>${value('Version')}</version>
    <authors>${value('Authors')}</authors>
    <license type="expression">${value('PackageLicenseExpression')}</license>
    <licenseUrl>https://licenses.nuget.org/${value('PackageLicenseExpression')}</licenseUrl>
    <readme>${value('PackageReadmeFile')}</readme>
    <projectUrl>${value('PackageProjectUrl')}</projectUrl>
    <description>${value('Description')}</description>
    <tags>${value('PackageTags')}</tags>
    <repository type="${value('RepositoryType')}" url="${value('RepositoryUrl')}" />
    <dependencies>
      <group targetFramework=".NETFramework4.6.1" />
    </dependencies>
  </metadata>
</package>
`;
}

/** Required in every package by the Open Packaging Conventions. */
const CONTENT_TYPES = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml" />
${['dll', 'so', 'xml', 'md', 'txt', 'nuspec'].map((name) => `  <Default Extension="${name}" ContentType="application/octet" />\n`).join('')}  <Override PartName="/LICENSE" ContentType="application/octet" />
</Types>
`;
const RELATIONSHIPS = `<?xml version="1.0" encoding="utf-8"?>
<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">
  <Relationship Type="http://schemas.microsoft.com/packaging/2010/07/manifest" Target="/${ID}.nuspec" Id="manifest" />
</Relationships>
`;
