"""Power and false alarms of the evidence (controller/evidence/EVIDENCE.md), over many rounds."""
