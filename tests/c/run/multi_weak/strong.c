int answer(void) { return 42; }
int setting = 7;
int late(void) { return 9; }
