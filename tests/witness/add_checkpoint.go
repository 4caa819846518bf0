// A log's side of C2SP tlog-witness by the library of sigsum-go: tree, proof, checkpoint, HTTP client and the
// check of the cosignature are all theirs.
//
//	add_checkpoint URL LOG_SECRET WITNESS_KEY OLD_SIZE SIZE TREE
//
// Keys are in hex. TREE is a number: trees of different numbers have different leaves. Prints the time of a
// valid cosignature, or ends with status 3 and the error. With - as URL it prints the request.
package main

import (
	"context"
	"encoding/binary"
	"fmt"
	"log"
	"os"
	"strconv"

	"sigsum.org/sigsum-go/pkg/checkpoint"
	"sigsum.org/sigsum-go/pkg/client"
	"sigsum.org/sigsum-go/pkg/crypto"
	"sigsum.org/sigsum-go/pkg/merkle"
	"sigsum.org/sigsum-go/pkg/requests"
	"sigsum.org/sigsum-go/pkg/types"
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func request(signer crypto.Signer, old, size, number uint64) requests.AddCheckpoint {
	tree := merkle.NewTree()
	for i := uint64(0); i < size; i++ {
		leaf := crypto.Hash{}
		binary.BigEndian.PutUint64(leaf[:8], i)
		binary.BigEndian.PutUint64(leaf[8:16], number)
		tree.AddLeafHash(&leaf)
	}
	head := types.TreeHead{Size: tree.Size(), RootHash: tree.GetRootHash()}
	public := signer.Public()
	origin := types.SigsumCheckpointOrigin(&public)
	return requests.AddCheckpoint{
		OldSize: old,
		Proof:   types.ConsistencyProof{Path: must(tree.ProveConsistency(old, size))},
		Checkpoint: checkpoint.Checkpoint{
			SignedTreeHead: must(head.Sign(signer)),
			Origin:         origin,
			KeyId:          checkpoint.NewLogKeyId(origin, &public),
		},
	}
}

func main() {
	log.SetFlags(0)
	number := func(at int) uint64 { return must(strconv.ParseUint(os.Args[at], 10, 63)) }
	witness := must(crypto.PublicKeyFromHex(os.Args[3]))
	asked := request(must(crypto.SignerFromHex(os.Args[2])), number(4), number(5), number(6))
	if os.Args[1] == "-" {
		must(0, asked.ToASCII(os.Stdout))
		return
	}
	lines, err := client.New(client.Config{URL: os.Args[1]}).AddCheckpoint(context.Background(), asked)
	if err != nil {
		fmt.Println(err)
		os.Exit(3)
	}
	fmt.Println(must(asked.Checkpoint.VerifyCosignatureByKey(lines, &witness)).Timestamp)
}
