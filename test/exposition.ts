/** A service's metrics, as Prometheus reads them. */
export class Exposition {
  /** By name and labels, as written: `name{label="value"}`. */
  private readonly series: ReadonlyMap<string, number>;

  constructor(readonly text: string) {
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    this.series = new Map(
      lines.map((line) => {
        const end = line.lastIndexOf(' ');
        return [line.slice(0, end), Number(line.slice(end + 1))];
      }),
    );
  }

  /** The value of a series; 0 if it has none yet. */
  valueOf(name: string, labels: Readonly<Record<string, string>> = {}): number {
    const pairs = Object.entries(labels).map(([label, value]) => `${label}="${value}"`);
    const series = pairs.length === 0 ? name : `${name}{${pairs.join(',')}}`;
    return this.series.get(series) ?? 0;
  }

  /** The names of all metrics, with or without values. */
  get metrics(): string[] {
    return this.typed.map(([name]) => name);
  }

  /** The names PromQL uses for the metrics: a histogram has three. */
  get names(): string[] {
    return this.typed.flatMap(([name, type]) =>
      type === 'histogram' ? [`${name}_bucket`, `${name}_sum`, `${name}_count`] : [name],
    );
  }

  private get typed(): [name: string, type: string][] {
    return [...this.text.matchAll(/^# TYPE (\S+) (\S+)$/gm)].map(([, name = '', type = '']) => [
      name,
      type,
    ]);
  }
}
