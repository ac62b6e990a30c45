using Mux;

namespace Deadlines;

/// <summary>Asks the stock, and writes down what was asked for.</summary>
public sealed class Front(IStock stock) : IFront
{
    public async ValueTask<string> Offer(int article, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        Console.WriteLine($"  front: has {options?.Timeout?.TotalMilliseconds:0} ms");
        await Task.Delay(100, cancellationToken);

        // It asks for 10 s and gets what is left of its own call, which is less.
        int count = await stock.Count(article, new MuxCallOptions { Timeout = TimeSpan.FromSeconds(10) }, cancellationToken);

        // Work that must be done even if its caller has stopped waiting opts out.
        count += await stock.Count(article + 1, new MuxCallOptions { Timeout = TimeSpan.FromSeconds(10), InheritsDeadline = false }, CancellationToken.None);
        return $"{count} in stock";
    }
}
