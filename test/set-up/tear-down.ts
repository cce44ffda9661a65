import { stopReplicaSet } from '../mongod/replica-set';

export default stopReplicaSet;
