package wire

import (
	"fmt"

	"kingdom/det"
)

// MsgType is the code of a KDOM message. Its high byte says which daemon serves it; docs/WIRE.md (messages) has the
// table.
type MsgType uint16

// Codes of all messages, by daemon.
const (
	TypePing        MsgType = 0x0001
	TypePong        MsgType = 0x0002
	TypeError       MsgType = 0x0003
	TypeAck         MsgType = 0x0004
	TypeSubscribe   MsgType = 0x0010
	TypeUnsubscribe MsgType = 0x0011
	TypeEvent       MsgType = 0x0012

	TypeAgentSpawnReq  MsgType = 0x0100
	TypeAgentSpawnAck  MsgType = 0x0101
	TypeAgentStatus    MsgType = 0x0102
	TypeTickAlloc      MsgType = 0x0103
	TypeWorldState     MsgType = 0x0104
	TypeProposalSubmit MsgType = 0x0110
	TypeProposalVote   MsgType = 0x0111
	TypeProposalResult MsgType = 0x0112

	TypeRepoCreate       MsgType = 0x0200
	TypeSnapCreate       MsgType = 0x0201
	TypeSnapGet          MsgType = 0x0202
	TypeObjectGet        MsgType = 0x0203
	TypeObjectPut        MsgType = 0x0204
	TypeDeltaCompute     MsgType = 0x0205
	TypeMerge            MsgType = 0x0206
	TypeChainCreate      MsgType = 0x0207
	TypeChainAdvance     MsgType = 0x0208
	TypeTagCreate        MsgType = 0x0209
	TypeRegistryQuery    MsgType = 0x020A
	TypeDependencyAdd    MsgType = 0x020B
	TypeDependencyNotify MsgType = 0x020C

	TypeChannelCreate MsgType = 0x0300
	TypeMsgPost       MsgType = 0x0301
	TypeMsgQuery      MsgType = 0x0302
	TypeSignalSend    MsgType = 0x0303
	TypeBountyCreate  MsgType = 0x0310
	TypeBountyClaim   MsgType = 0x0311
	TypeBountySubmit  MsgType = 0x0312
	TypeBountyReview  MsgType = 0x0313
	TypeReviewRequest MsgType = 0x0320
	TypeReviewSubmit  MsgType = 0x0321

	TypeEntryPublish  MsgType = 0x0400
	TypeEntryUpdate   MsgType = 0x0401
	TypeEntryQuery    MsgType = 0x0402
	TypeEntryVerify   MsgType = 0x0403
	TypeEntryGet      MsgType = 0x0404
	TypeCitationAdd   MsgType = 0x0410
	TypeCitationQuery MsgType = 0x0411

	TypeSandboxCreate MsgType = 0x0500
	TypeSandboxStatus MsgType = 0x0501
	TypeSandboxKill   MsgType = 0x0502
	TypeExecStart     MsgType = 0x0503
	TypeExecResult    MsgType = 0x0504
	TypeProofRequest  MsgType = 0x0505
	TypeProofResult   MsgType = 0x0506
	TypeServiceCreate MsgType = 0x0510
	TypeServiceCall   MsgType = 0x0511
	TypeServiceResult MsgType = 0x0512
	TypeLinkResolve   MsgType = 0x0520

	TypeTransfer      MsgType = 0x0600
	TypeBalanceQuery  MsgType = 0x0601
	TypeEscrowCreate  MsgType = 0x0602
	TypeEscrowRelease MsgType = 0x0603
	TypeEscrowRefund  MsgType = 0x0604
	TypeStakeCreate   MsgType = 0x0610
	TypeStakeResolve  MsgType = 0x0611
	TypeEconomyReport MsgType = 0x0620

	TypeWebRequest        MsgType = 0x0700
	TypeWebResponse       MsgType = 0x0701
	TypePortalReport      MsgType = 0x0710
	TypeTranslateRequest  MsgType = 0x0800
	TypeTranslateResult   MsgType = 0x0801
	TypeTranslateCacheHit MsgType = 0x0802
	TypeBridgeStatus      MsgType = 0x0810
)

// String returns the upper-snake name, or the code in hex for an unknown message.
func (t MsgType) String() string {
	if m, ok := messages[t]; ok {
		return m.name
	}
	return fmt.Sprintf("MSG_0x%04X", uint16(t))
}

// System returns the daemon that owns the code, by its high byte; ok is false for the
// messages 0x00xx that every endpoint serves.
func (t MsgType) System() (s System, ok bool) {
	hi := t >> 8
	if hi < 1 || hi > 8 {
		return 0, false
	}
	return System(hi), true
}

// MsgTypes lists the codes of all messages, ascending.
func MsgTypes() []MsgType { return det.SortedKeys(messages) }
