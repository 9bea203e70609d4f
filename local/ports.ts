// Ports of this machine's loopback address.
import { connect, createServer } from 'node:net';

/** The wanted port if it is free, else any free one. Whoever binds it later may still find it taken. */
export async function freePort(wanted: number | null): Promise<number> {
  return (wanted !== null && (await bind(wanted))) || (await bind(0)) || Promise.reject(new Error('no free port'));
}

/** Whether somebody accepts connections at `host:port`. */
export function accepts(address: string, timeoutMs: number): Promise<boolean> {
  const { host, port } = splitAddress(address);
  return new Promise((resolve) => {
    const socket = connect({ host, port, timeout: timeoutMs });
    const end = (accepted: boolean) => {
      socket.destroy();
      resolve(accepted);
    };
    socket
      .once('connect', () => end(true))
      .once('timeout', () => end(false))
      .once('error', () => end(false));
  });
}

export function splitAddress(address: string): { host: string; port: number } {
  const colon = address.lastIndexOf(':');
  return { host: address.slice(0, colon), port: Number(address.slice(colon + 1)) };
}

function bind(port: number): Promise<number | null> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(null));
    server.listen(port, '127.0.0.1', () => {
      const bound = server.address();
      server.close(() => resolve(bound && typeof bound === 'object' ? bound.port : null));
    });
  });
}
