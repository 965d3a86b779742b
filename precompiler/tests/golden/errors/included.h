#pragma cccp checkpoint
