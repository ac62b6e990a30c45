using System.Runtime.CompilerServices;

namespace Gateway;

public sealed class Stock : IStock
{
    public async IAsyncEnumerable<int> Watch(string item, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        for (int left = 5; left > 0; left--)
        {
            yield return left;
            await Task.Delay(50, cancellationToken);
        }
    }
}
