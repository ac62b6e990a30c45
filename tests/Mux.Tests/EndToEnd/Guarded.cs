using System.Runtime.CompilerServices;
using Mux.Tests.Contracts;
using Mux.TestSupport.Transports;

namespace Mux.Tests.EndToEnd;

/// <summary>Says who calls, and counts what ran.</summary>
public sealed class Guarded : IGuarded
{
    public Counter Ran { get; } = new("handlers that ran");

    public ValueTask<string> WhoAmI(MuxCallOptions? options = null)
    {
        Ran.Add();
        return new(options?.User?.Identity?.Name ?? "nobody");
    }

    public ValueTask<string> Greet(MuxCallOptions? options = null)
    {
        Ran.Add();
        return new($"hello {options?.User?.Identity?.Name ?? "nobody"}");
    }

    public ValueTask<int> File(int number) => Run(number);

    public ValueTask<int> Sign(int number) => Run(number);

    public async IAsyncEnumerable<int> Count(int last, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        Ran.Add();
        for (int i = 1; i <= last; i++)
        {
            await Task.Yield();
            cancellationToken.ThrowIfCancellationRequested();
            yield return i;
        }
    }

    public async ValueTask<int> Sum(IAsyncEnumerable<int> numbers)
    {
        Ran.Add();
        int sum = 0;
        await foreach (int number in numbers) sum += number;
        return sum;
    }

    public async ValueTask Note(int number) => await Run(number);

    private ValueTask<int> Run(int number)
    {
        Ran.Add();
        return new(number);
    }
}
