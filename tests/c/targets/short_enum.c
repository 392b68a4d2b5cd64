// An enum as small as its values.
// function: store
// infeasible on cortex-m: 11:9 true
enum level { LOW, HIGH = 200 };

int store(int x);
int store(int x)
{
    enum level level = (enum level)x;
    int now = level;
    if (now == 300)
        return 1;
    return 0;
}
