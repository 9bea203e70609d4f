// Run as a process: prints what the `uturn` command is made of, as JSON, in place of doing anything.
import { Command } from 'commander';

export type Described = { name: string; options: string[]; commands: Described[] };

function described(command: Command): Described {
  return {
    name: command.name(),
    options: ['--help', ...command.options.flatMap((option) => option.long ?? [])],
    commands: command.commands.map(described),
  };
}

Command.prototype.parseAsync = function describe(this: Command) {
  process.stdout.write(JSON.stringify(described(this)));
  return Promise.resolve(this);
};
await import('../../cli/main.ts');
