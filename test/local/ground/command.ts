// What a `uturn` command does with its home, as a process of its own: joins, takes the echo service, prints it, and
// leaves when its input ends. Arguments: the home's folder, `up` or `run`.
import { once } from 'node:events';
import { openHome } from '../../../local/home.ts';
import type { Keep } from '../../../local/services.ts';
import { stopUnkept } from '../../../local/services.ts';
import { joinHome } from '../../../local/users.ts';
import { ensureEcho } from './ground.ts';

const [dir, keep] = process.argv.slice(2);
const home = await openHome({ UTURN_HOME: dir });
const membership = await joinHome(home);
const service = await ensureEcho(home, { keep: keep as Keep });
console.log(JSON.stringify(service));
process.stdin.resume();
await once(process.stdin, 'end');
console.log(await membership.leave(() => stopUnkept(home)));
