// `uturn export` and `uturn import`: a run as one file, for somebody elsewhere.
import { createReadStream, createWriteStream } from 'node:fs';
import { rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import type { Command } from 'commander';
import { archiveOf } from '../../activities/run/archive.ts';
import { unpackRun } from '../../activities/run/unpack.ts';
import { errorCode } from '../../activities/store/disk.ts';
import { tarEntries, tarOf } from '../../activities/store/tar.ts';
import { ConfigProblem } from '../../domain/problems.ts';
import { jsonLine } from '../../domain/records/json-line.ts';
import { notWritten } from '../report-file.ts';
import { openLooking, openReading } from '../session.ts';
import { counted, megabytes } from '../words.ts';

type Options = { json?: true };

export function exportCommand(program: Command): void {
  program
    .command('export')
    .argument('<run>', 'run to export')
    .argument('<file>', 'archive to write, such as sweep.tar.gz')
    .summary('write a run into one archive')
    .description(
      'Writes all that a run goes by into one tar.gz: plan, documents, pinned parts, data items, templates and prompts, each checked\n' +
        'on its way. Of private data no item and no record is in it. `uturn import` puts it into another store.',
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ uturn export sweep-3f9a2c1b sweep.tar.gz')
    .action(async (run: string, file: string, opts: Options) => {
      const { store } = await openLooking();
      const { manifest, entries } = await archiveOf(store, run);
      await write(file, tarOf(entries));
      const { parts, blobs, withheld } = manifest;
      const { size } = await stat(file);
      if (opts.json)
        return void process.stdout.write(`${jsonLine({ run, file, bytes: size, parts, blobs, withheld })}\n`);
      process.stdout.write(
        `${file}: ${run} with ${counted(parts, 'part')} and ${counted(blobs, 'blob')}, ${megabytes(size)}.\n`,
      );
      process.stdout.write(withheldText(withheld));
    });
}

export function importCommand(program: Command): void {
  program
    .command('import')
    .argument('<file>', 'archive that `uturn export` has written')
    .summary('put an exported run into the store')
    .description(
      'Puts the run of an archive into the store, with every object checked. Nothing is replaced; a run of the same name that says\n' +
        'something else is left as it is, and the import refused.',
    )
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  $ uturn import sweep.tar.gz && uturn replay sweep-3f9a2c1b --from-records')
    .action(async (file: string, opts: Options) => {
      const { store } = await openReading();
      const { manifest, ...done } = await unpackRun(store, tarEntries(unzipped(file)), file);
      const { run, withheld } = manifest;
      if (opts.json) return void process.stdout.write(`${jsonLine({ run, withheld, ...done })}\n`);
      process.stdout.write(
        `${run}: ${counted(done.objects, 'object')}, ${megabytes(done.bytes)}; ${done.added} are new here.\n`,
      );
      process.stdout.write(`${withheldText(withheld)}See whether it holds: uturn replay ${run} --from-records\n`);
    });
}

function withheldText(withheld: string[]): string {
  if (withheld.length === 0) return '';
  return `Of ${withheld.join(', ')}, which is private, it holds no item and no record: their cells cannot be made again from it.\n`;
}

/** Whole or not at all. */
async function write(file: string, pieces: AsyncGenerator<Uint8Array>): Promise<void> {
  const unfinished = `${file}.${process.pid}`;
  try {
    await pipeline(Readable.from(pieces), createGzip(), createWriteStream(unfinished));
    await rename(unfinished, file);
  } catch (cause) {
    await rm(unfinished, { force: true });
    throw errorCode(cause) === '' ? cause : notWritten(file, cause);
  }
}

async function* unzipped(file: string): AsyncGenerator<Uint8Array> {
  const gunzip = createGunzip();
  const reading = pipeline(createReadStream(file), gunzip);
  reading.catch(() => undefined);
  try {
    for await (const piece of gunzip) yield piece as Uint8Array;
    await reading;
  } catch (cause) {
    const why = errorCode(cause) === 'ENOENT' ? 'there is no such file' : 'it is damaged, cut off, or no gzip';
    throw new ConfigProblem(`${file} cannot be read: ${why}`, {
      advice: 'Give a file that uturn export has written, or copy it again.',
      cause,
    });
  }
}
