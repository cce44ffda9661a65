import { DtoValidationPipe } from '../http/validation/validation.pipe.js';
import { LicenseKeyService } from '../licenses/license-key.service.js';
import { LicenseReader } from '../licenses/license-reader.js';
import { MachineIdProvider } from '../machines/machine-id.provider.js';
import { Machines } from '../machines/machines.service.js';
import { Seats } from '../machines/seats.service.js';
import { Imports } from './imports.service.js';
import { RowImports } from './row-imports.service.js';
import { RowReader } from './row-reader.service.js';

/** The services that an import needs in a process without a server. */
export const IMPORT_SERVICES = [
  ...[Imports, RowImports, RowReader, DtoValidationPipe],
  ...[LicenseKeyService, LicenseReader, MachineIdProvider, Machines, Seats],
];
