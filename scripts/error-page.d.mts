interface ErrorRow {
  readonly status: number;
  readonly message: string;
  readonly details: string | undefined;
}

export function errorPage(errors: Readonly<Record<string, ErrorRow>>): string;
