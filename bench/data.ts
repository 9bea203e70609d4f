// What every contestant is asked: conversations with a given answer, whose next user turn is wanted. One item, one request.
import { renderChatml } from '../test/fakes/chatml.ts';

export type BenchItem = { id: string; question: string; answer: string };

const shops = ['a bakery', 'a book shop', 'a bicycle workshop', 'a garden centre', 'a tea house'];
const things = ['loaves', 'atlases', 'inner tubes', 'seedlings', 'tins of tea'];

/** A question of about 400 characters and an answer of about 700; no two are alike. */
export function benchItems(count: number): BenchItem[] {
  return Array.from({ length: count }, (_, n) => {
    const [shop, thing] = [shops[n % shops.length], things[(n * 3 + 1) % things.length]];
    const [boxes, each, loose, price] = [2 + n, 3 + (n % 17), 1 + ((n * 5) % 23), 2 + (n % 9)];
    const whole = boxes * each + loose;
    return {
      id: `item-${String(n).padStart(7, '0')}`,
      question:
        `I run ${shop} on the corner of a quiet street, and every month I have to tell my landlord what lies in the back room. ` +
        `This time I counted ${boxes} boxes with ${each} ${thing} in each of them, and ${loose} more stood beside the boxes. ` +
        `Each of them is worth ${price} coins when it is sold. How many ${thing} do I have, and what is all of it worth? ` +
        'Please show me how you got there, since I have to explain it to somebody who does not trust sums.',
      answer:
        `Let us go through it in two steps, so that each can be checked by itself.\n\n` +
        `First the boxes: there are ${boxes} of them with ${each} ${thing} in each, and ${boxes} × ${each} = ${boxes * each}. ` +
        `Beside the boxes stand ${loose} more, which makes ${boxes * each} + ${loose} = ${whole} ${thing} in the back room.\n\n` +
        `Then the value: each is worth ${price} coins, so all of it is worth ${whole} × ${price} = ${whole * price} coins.\n\n` +
        `To explain it to somebody who does not trust sums, lay one box out on the table, count it together, and then count the boxes. ` +
        'The rest is the same thing done again and again, which is all that a multiplication says. ' +
        `So the answer is ${whole} ${thing}, worth ${whole * price} coins in all.`,
    };
  });
}

/** The prompt that asks for the user's next turn. */
export function promptOf({ question, answer }: BenchItem): string {
  const turns = [
    { role: 'user', content: question },
    { role: 'assistant', content: answer },
  ];
  return `${renderChatml(turns, { generation: 'none' })}<|im_start|>user\n`;
}

/** Of the fake model's chat template, for contestants that render by themselves. */
export const chatml =
  '{% for m in messages %}<|im_start|>{{ m.role }}\n{{ m.content }}<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}';

/** Most tokens of a user turn; no reply of the fake is longer. */
export const maxTokens = 80;
