// Fetches what many tests use before the first one's clock starts.
import { toolVenv } from '../../local/python.ts';

export default async function setup(): Promise<void> {
  await toolVenv({ report: (line) => console.error(line) });
}
