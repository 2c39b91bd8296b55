export { streams } from '@teamfuse/core/rx';
export { auditTime, merge, Observable, Subject, tap } from 'rxjs';
