"""Power and false alarms of the evidence of cheating (controller/evidence/EVIDENCE.md) over many rounds."""
