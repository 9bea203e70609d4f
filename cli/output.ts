// Results on stdout, for a reader that may be slow, or leave early.
import { errorCode } from '../activities/store/disk.ts';
import { exit } from './exit.ts';

/** A reader that has seen enough (`| head`) ends the printing and nothing else; a full disk is an error. */
export function allowEarlyEnd(): void {
  process.stderr.on('error', () => {});
  process.stdout.on('error', (error) => {
    if (errorCode(error) === 'EPIPE') return;
    process.stderr.write(`standard output cannot be written: ${error.message}\n`);
    process.exit(exit.failed);
  });
}

/** Writes pieces as fast as they are read. Returns, with the rest unmade, when nobody reads any more. */
export async function printAll(pieces: AsyncIterable<string> | Iterable<string>): Promise<void> {
  for await (const piece of pieces) {
    const failure = await new Promise((done) => process.stdout.write(piece, done));
    if (failure) return;
  }
}
