package wire

import (
	"reflect"

	"kingdom/wire/codec"
)

// message is what the protocol says of one code. A message of a daemon that does not exist yet
// has only its name.
type message struct {
	name string
	// request is the body of a message that is sent on its own: a request, a trigger or a
	// delivery.
	request *codec.Plan
	// reply holds the fields beside ref_msg_id: of the reply code itself, or, for an ACK, under
	// the code of the request it answers. A request without one gets a plain ACK.
	reply *codec.Plan
}

// messages is the table of all codes, docs/WIRE.md, messages.
var messages = map[MsgType]message{
	TypePing:        {name: "PING", request: payloadOf[Ping]()},
	TypePong:        {name: "PONG", reply: payloadOf[Pong]()},
	TypeError:       {name: "ERROR"},
	TypeAck:         {name: "ACK"},
	TypeSubscribe:   {name: "SUBSCRIBE", request: payloadOf[Subscribe](), reply: payloadOf[SubscribeAck]()},
	TypeUnsubscribe: {name: "UNSUBSCRIBE", request: payloadOf[Unsubscribe]()},
	TypeEvent:       {name: "EVENT", request: payloadOf[EventRecord]()},

	TypeAgentSpawnReq:  {name: "AGENT_SPAWN_REQ", request: payloadOf[AgentSpawnReq](), reply: payloadOf[AgentSpawnAck]()},
	TypeAgentSpawnAck:  {name: "AGENT_SPAWN_ACK", reply: payloadOf[AgentSpawnAck]()},
	TypeAgentStatus:    {name: "AGENT_STATUS", request: payloadOf[AgentStatusMsg](), reply: payloadOf[AgentStatusReply]()},
	TypeTickAlloc:      {name: "TICK_ALLOC", request: payloadOf[TickAlloc]()},
	TypeWorldState:     {name: "WORLD_STATE", request: payloadOf[WorldState]()},
	TypeProposalSubmit: {name: "PROPOSAL_SUBMIT", request: payloadOf[ProposalSubmit](), reply: payloadOf[ProposalSubmitAck]()},
	TypeProposalVote:   {name: "PROPOSAL_VOTE", request: payloadOf[ProposalVote]()},
	TypeProposalResult: {name: "PROPOSAL_RESULT", request: payloadOf[ProposalResult]()},

	TypeRepoCreate:       {name: "REPO_CREATE", request: payloadOf[RepoCreate](), reply: payloadOf[RepoCreateAck]()},
	TypeSnapCreate:       {name: "SNAP_CREATE", request: payloadOf[SnapCreate](), reply: payloadOf[SnapCreateAck]()},
	TypeSnapGet:          {name: "SNAP_GET", request: payloadOf[SnapGet](), reply: payloadOf[SnapGetReply]()},
	TypeObjectGet:        {name: "OBJECT_GET", request: payloadOf[ObjectGet](), reply: payloadOf[ObjectGetReply]()},
	TypeObjectPut:        {name: "OBJECT_PUT", request: payloadOf[ObjectPut](), reply: payloadOf[ObjectPutAck]()},
	TypeDeltaCompute:     {name: "DELTA_COMPUTE", request: payloadOf[DeltaCompute](), reply: payloadOf[DeltaComputeReply]()},
	TypeMerge:            {name: "MERGE", request: payloadOf[Merge](), reply: payloadOf[MergeReply]()},
	TypeChainCreate:      {name: "CHAIN_CREATE", request: payloadOf[ChainCreate]()},
	TypeChainAdvance:     {name: "CHAIN_ADVANCE", request: payloadOf[ChainAdvance]()},
	TypeTagCreate:        {name: "TAG_CREATE", request: payloadOf[TagCreate](), reply: payloadOf[TagCreateAck]()},
	TypeRegistryQuery:    {name: "REGISTRY_QUERY", request: payloadOf[RegistryQuery](), reply: payloadOf[RegistryQueryReply]()},
	TypeDependencyAdd:    {name: "DEPENDENCY_ADD", request: payloadOf[DependencyAdd]()},
	TypeDependencyNotify: {name: "DEPENDENCY_NOTIFY", request: payloadOf[DependencyNotify]()},

	TypeChannelCreate: {name: "CHANNEL_CREATE", request: payloadOf[ChannelCreate](), reply: payloadOf[ChannelCreateAck]()},
	TypeMsgPost:       {name: "MSG_POST", request: payloadOf[MsgPost](), reply: payloadOf[MsgPostAck]()},
	TypeMsgQuery:      {name: "MSG_QUERY", request: payloadOf[MsgQuery](), reply: payloadOf[MsgQueryReply]()},
	TypeSignalSend:    {name: "SIGNAL_SEND", request: payloadOf[SignalSend]()},
	TypeBountyCreate:  {name: "BOUNTY_CREATE", request: payloadOf[BountyCreate](), reply: payloadOf[BountyCreateAck]()},
	TypeBountyClaim:   {name: "BOUNTY_CLAIM", request: payloadOf[BountyClaim]()},
	TypeBountySubmit:  {name: "BOUNTY_SUBMIT", request: payloadOf[BountySubmit](), reply: payloadOf[BountySubmitAck]()},
	TypeBountyReview:  {name: "BOUNTY_REVIEW", request: payloadOf[BountyReview]()},
	TypeReviewRequest: {name: "REVIEW_REQUEST", request: payloadOf[ReviewRequest](), reply: payloadOf[ReviewRequestAck]()},
	TypeReviewSubmit:  {name: "REVIEW_SUBMIT", request: payloadOf[ReviewSubmit]()},

	TypeEntryPublish:  {name: "ENTRY_PUBLISH", request: payloadOf[EntryPublish](), reply: payloadOf[EntryPublishAck]()},
	TypeEntryUpdate:   {name: "ENTRY_UPDATE", request: payloadOf[EntryUpdate](), reply: payloadOf[EntryUpdateAck]()},
	TypeEntryQuery:    {name: "ENTRY_QUERY", request: payloadOf[EntryQuery](), reply: payloadOf[EntryQueryReply]()},
	TypeEntryVerify:   {name: "ENTRY_VERIFY", request: payloadOf[EntryVerify]()},
	TypeEntryGet:      {name: "ENTRY_GET", request: payloadOf[EntryGet](), reply: payloadOf[EntryGetReply]()},
	TypeCitationAdd:   {name: "CITATION_ADD", request: payloadOf[CitationAdd]()},
	TypeCitationQuery: {name: "CITATION_QUERY", request: payloadOf[CitationQuery](), reply: payloadOf[CitationQueryReply]()},

	TypeSandboxCreate: {name: "SANDBOX_CREATE", request: payloadOf[SandboxCreate](), reply: payloadOf[SandboxCreateAck]()},
	TypeSandboxStatus: {name: "SANDBOX_STATUS", request: payloadOf[SandboxStatus](), reply: payloadOf[SandboxStatusReply]()},
	TypeSandboxKill:   {name: "SANDBOX_KILL", request: payloadOf[SandboxKill]()},
	TypeExecStart:     {name: "EXEC_START", request: payloadOf[ExecStart](), reply: payloadOf[ExecStartAck]()},
	TypeExecResult:    {name: "EXEC_RESULT", reply: payloadOf[ExecResult]()},
	TypeProofRequest:  {name: "PROOF_REQUEST", request: payloadOf[ProofRequest](), reply: payloadOf[ProofRequestAck]()},
	TypeProofResult:   {name: "PROOF_RESULT", reply: payloadOf[ExecutionProof]()},
	TypeServiceCreate: {name: "SERVICE_CREATE", request: payloadOf[ServiceCreate](), reply: payloadOf[ServiceCreateAck]()},
	TypeServiceCall:   {name: "SERVICE_CALL", request: payloadOf[ServiceCall]()},
	TypeServiceResult: {name: "SERVICE_RESULT", reply: payloadOf[ServiceResult]()},
	TypeLinkResolve:   {name: "LINK_RESOLVE", request: payloadOf[LinkResolve](), reply: payloadOf[LinkResolveReply]()},

	TypeTransfer:      {name: "TRANSFER", request: payloadOf[Transfer](), reply: payloadOf[TransferAck]()},
	TypeBalanceQuery:  {name: "BALANCE_QUERY", request: payloadOf[BalanceQuery](), reply: payloadOf[BalanceQueryReply]()},
	TypeEscrowCreate:  {name: "ESCROW_CREATE", request: payloadOf[EscrowCreate](), reply: payloadOf[EscrowCreateAck]()},
	TypeEscrowRelease: {name: "ESCROW_RELEASE", request: payloadOf[EscrowRelease]()},
	TypeEscrowRefund:  {name: "ESCROW_REFUND", request: payloadOf[EscrowRefund]()},
	TypeStakeCreate:   {name: "STAKE_CREATE", request: payloadOf[StakeCreate](), reply: payloadOf[StakeCreateAck]()},
	TypeStakeResolve:  {name: "STAKE_RESOLVE", request: payloadOf[StakeResolve]()},
	TypeEconomyReport: {name: "ECONOMY_REPORT", request: payloadOf[EconomyReport](), reply: payloadOf[EconomicReport]()},

	TypeWebRequest:   {name: "WEB_REQUEST", request: payloadOf[WebRequest]()},
	TypeWebResponse:  {name: "WEB_RESPONSE", reply: payloadOf[WebResponse]()},
	TypePortalReport: {name: "PORTAL_REPORT", request: payloadOf[PortalReportTrigger](), reply: payloadOf[PortalReport]()},

	TypeTranslateRequest:  {name: "TRANSLATE_REQUEST"},
	TypeTranslateResult:   {name: "TRANSLATE_RESULT"},
	TypeTranslateCacheHit: {name: "TRANSLATE_CACHE_HIT"},
	TypeBridgeStatus:      {name: "BRIDGE_STATUS"},
}

// payloads holds the plan of every payload struct by its Go type; the tables of messages and
// events fill it and it never changes.
var payloads = map[reflect.Type]*codec.Plan{}

func payloadOf[T any]() *codec.Plan {
	t := reflect.TypeFor[T]()
	p, ok := payloads[t]
	if !ok {
		p = codec.PlanOf(t)
		payloads[t] = p
	}
	return p
}
