// Does not compile: the runner's test wants to hear it.
int main() { return undeclared_name; }
