// Fetches the S3 server before the first test's clock starts.
import { motoPython } from './environment.ts';

export default async function setup(): Promise<void> {
  await motoPython();
}
