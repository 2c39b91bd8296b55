import { GENERATIONS } from './crews.js';
import { VARIANTS } from './variants.js';
const [gen, count, turns, variant, rounds='6'] = process.argv.slice(2);
const breakerOf = VARIANTS[variant];
async function measure({ generation, count, turns }) {
  const breaker = breakerOf?.();
  const crews = Array.from({ length: count }, () => GENERATIONS[generation](turns));
  for (const crew of crews) if (breaker) crew.guard(breaker);
  const before = process.cpuUsage();
  await Promise.all(crews.map((crew) => crew.run()));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / (count*turns);
}
let best=1e9; const all=[];
for (let i=0;i<+rounds;i++){ const v=await measure({generation:gen,count:+count,turns:+turns}); all.push(v.toFixed(1)); best=Math.min(best,v);} 
console.log(gen,count,turns,variant,best.toFixed(1),all.join(' '));
