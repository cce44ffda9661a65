import { Injectable } from '@nestjs/common';
import {
  type DeploymentItem,
  DeploymentRepository,
} from '../../../shared/sealing/deployment.repository.js';
import { SqliteStore } from '../connection/sqlite-store.js';

@Injectable()
export class SqliteDeploymentRepository extends DeploymentRepository {
  private readonly selectValue;
  private readonly insertFirst;
  private readonly updateExpected;

  constructor(private readonly store: SqliteStore) {
    super();
    this.selectValue = store.prepare('SELECT value FROM deployment WHERE item = ?');
    this.insertFirst = store.prepare(
      'INSERT INTO deployment (item, value) VALUES (?, ?) ON CONFLICT DO NOTHING',
    );
    this.updateExpected = store.prepare(
      'UPDATE deployment SET value = ? WHERE item = ? AND value = ?',
    );
  }

  async find(item: DeploymentItem): Promise<string | null> {
    return this.kept(item);
  }

  keepFirst(item: DeploymentItem, value: string): Promise<string> {
    return this.store.write(() => {
      this.insertFirst.run(item, value);
      return this.kept(item) ?? value;
    });
  }

  replace(item: DeploymentItem, expected: string, value: string): Promise<boolean> {
    return this.store.write(() => this.updateExpected.run(value, item, expected).changes === 1);
  }

  private kept(item: DeploymentItem): string | null {
    const row = this.selectValue.get(item) as { value: string } | undefined;
    return row?.value ?? null;
  }
}
