import { Session } from 'node:inspector/promises';
import { GENERATIONS } from './crews.js';
import { VARIANTS } from './variants.js';
const [gen, count, turns, variant, depth='0'] = process.argv.slice(2);
async function run() {
  const breaker = VARIANTS[variant]?.();
  const crews = Array.from({ length: +count }, () => GENERATIONS[gen](+turns));
  for (const crew of crews) if (breaker) crew.guard(breaker);
  return () => Promise.all(crews.map((crew) => crew.run()));
}
for (let i=0;i<5;i++) await (await run())();
const go = await run();
const s = new Session(); s.connect();
await s.post('HeapProfiler.startSampling',{samplingInterval:4096,includeObjectsCollectedByMajorGC:true,includeObjectsCollectedByMinorGC:true});
await go();
const {profile}=await s.post('HeapProfiler.stopSampling');
const m=new Map(); let tot=0; const N=count*turns;
(function walk(n,path){const f=n.callFrame;const k=f.functionName+' '+f.url.split('/').slice(-2).join('/')+':'+f.lineNumber;
 const key = depth>0 ? [...path.slice(-depth),k].reverse().join(' < ') : k;
 if(n.selfSize){m.set(key,(m.get(key)||0)+n.selfSize);tot+=n.selfSize;} for(const c of n.children)walk(c,[...path,k]);})(profile.head,[]);
console.log(variant,'bytes per turn',(tot/N).toFixed(0));
for(const [k,v] of [...m].sort((a,b)=>b[1]-a[1]).slice(0,45))console.log((v/N).toFixed(0).padStart(7),k);
