// Does not compile: the runner's test checks that this is reported.
int main() { return undeclared_name; }
