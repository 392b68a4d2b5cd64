int main(void) { return STATUS; }
