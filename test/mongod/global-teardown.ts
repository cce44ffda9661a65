import { stopReplicaSet } from './replica-set';

export default stopReplicaSet;
