// Whether a Temporal knows the search attributes of runs.
import type { Connection } from '@temporalio/client';
import { searchNames } from '../domain/plan/search.ts';

const names = Object.values(searchNames);

/** Options of a dev server with which it knows them from its start on. */
export const searchFlags = names.flatMap((name) => ['--search-attribute', `${name}=Keyword`]);

/** Whether all of them are there as keywords; null where the server does not say. */
export async function knowsSearchAttributes(connection: Connection, namespace: string): Promise<boolean | null> {
  const keyword = 2; // INDEXED_VALUE_TYPE_KEYWORD
  try {
    const { customAttributes } = await connection.withDeadline(Date.now() + 5_000, () =>
      connection.operatorService.listSearchAttributes({ namespace }),
    );
    return names.every((name) => customAttributes?.[name] === keyword);
  } catch {
    return null;
  }
}
