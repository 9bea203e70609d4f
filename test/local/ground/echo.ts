// A service to try things on: answers GET on the given port, and says in its log that it began.
import { createServer } from 'node:http';

const port = Number(process.argv[2]);
console.log(`echo ${process.pid} begins on ${port}`);
createServer((_, response) => response.end('here')).listen(port, '127.0.0.1');
