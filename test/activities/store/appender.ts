// A process of its own that adds records to a shard as fast as it can, and says so after each: node appender.ts <folder> <attempt> <items>
import { writeSync } from 'node:fs';
import { fileStore } from '../../../activities/store/file.ts';
import { openShard } from '../../../activities/store/shard.ts';
import { ConfigProblem, sentence } from '../../../domain/problems.ts';
import { place, success, wants } from './samples.ts';

const [folder = '', attempt = '', items = ''] = process.argv.slice(2);

try {
  const store = await fileStore(folder);
  const shard = await openShard(store, place, { wanted: wants(Number(items)), attempt, segmentBytes: 200_000 });
  const waiting = [...shard.pending];
  const lane = async () => {
    for (let one = waiting.shift(); one !== undefined; one = waiting.shift()) {
      await shard.add(success(one, 'text '.repeat(100), attempt));
      // Said only now: whoever reads it may count on the record. Written at once, not when the loop gets to it.
      writeSync(1, `${one.item}\n`);
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  await shard.seal();
} catch (error) {
  writeSync(2, error instanceof ConfigProblem ? sentence(error) : String(error));
  process.exitCode = 1;
}
