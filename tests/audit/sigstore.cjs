// The signed checkpoint and the inclusion of a leaf, verified by the sigstore library that npm brings along:
// `node sigstore.cjs FOLDER < CASE`. A CASE is JSON: the note, the public key in DER, its name and number, the
// leaf, its index and the path. Ends with status 0 if sigstore accepts all, 3 with its reason if it does not.
const {createPublicKey} = require("node:crypto");
const {readFileSync} = require("node:fs");
const [folder] = process.argv.slice(2);
const {verifyCheckpoint} = require(`${folder}/dist/tlog/checkpoint.js`);
const {verifyMerkleInclusion} = require(`${folder}/dist/tlog/merkle.js`);

const bytes = (text) => Buffer.from(text, "base64");
const given = JSON.parse(readFileSync(0, "utf8"));
const entry = {
    canonicalizedBody: bytes(given.leaf),
    inclusionProof: {checkpoint: {envelope: given.note}, logIndex: given.index, hashes: given.path.map(bytes)},
};
const log = {
    baseURL: given.name,
    logID: bytes(given.number),
    publicKey: createPublicKey({key: bytes(given.key), format: "der", type: "spki"}),
};
try {
    verifyMerkleInclusion(entry, verifyCheckpoint(entry, [log]));
} catch (error) {
    if (error.code !== "TLOG_INCLUSION_PROOF_ERROR") throw error;
    console.log(error.message);
    process.exitCode = 3;
}
