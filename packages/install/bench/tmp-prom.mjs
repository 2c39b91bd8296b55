import { createHook } from 'node:async_hooks';
import { GENERATIONS } from './crews.js';
import { VARIANTS } from './variants.js';
let n=0, stacks=new Map(), on=false;
Error.stackTraceLimit=6;
createHook({init(id,type){ if(!on) return; n++; const st=type+' '+new Error().stack.split('\n').slice(2).filter(l=>!l.includes('node:internal')).slice(0,2).map(l=>l.trim().replace(/file:.*\/packages\//,'')).join(' < '); stacks.set(st,(stacks.get(st)||0)+1); }}).enable();
for (const gen of ['0.4','0.2']) for (const v of ['unguarded','guarded, detectors on']) {
 for (let i=0;i<2;i++){ const breaker=VARIANTS[v]?.(); const c=GENERATIONS[gen](1000); if(breaker)c.guard(breaker); on=i==1;n=0;stacks.clear(); await c.run(); on=false; }
 console.log('==',gen,v,(n/1000).toFixed(2)); for(const [k,c] of [...stacks].sort((a,b)=>b[1]-a[1]).slice(0,40)) if(c>100) console.log((c/1000).toFixed(2),k);
}
