using System.Runtime.CompilerServices;
using Mux.TestSupport.Transports;

namespace Mux.Tests.Forwarding;

/// <summary>Does what the test wants; by default it sends back what it gets.</summary>
internal sealed class Shop : IShop
{
    public Func<byte[], MuxCallOptions?, CancellationToken, ValueTask<byte[]>> OnAsk { get; set; } = static (question, _, _) => new(question);

    public Func<byte[], MuxCallOptions?, CancellationToken, IAsyncEnumerable<byte[]>> OnList { get; set; } = static (question, _, _) => Repeat(question, 3);

    public Func<IAsyncEnumerable<byte[]>, CancellationToken, ValueTask<byte[]>> OnCollect { get; set; } = ConcatAsync;

    public Func<byte[], ValueTask> OnTell { get; set; } = static _ => default;

    /// <summary>Handlers that were started.</summary>
    public Counter Started { get; } = new("started handlers");

    public ValueTask<byte[]> Ask(byte[] question, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        Started.Add();
        return OnAsk(question, options, cancellationToken);
    }

    public ValueTask<byte[]> Look(byte[] question, CancellationToken cancellationToken) => Ask(question, null, cancellationToken);

    public ValueTask Tell(byte[] question)
    {
        Started.Add();
        return OnTell(question);
    }

    public ValueTask<byte[]> Collect(byte[] question, IAsyncEnumerable<byte[]> items, CancellationToken cancellationToken)
    {
        Started.Add();
        return OnCollect(items, cancellationToken);
    }

    public IAsyncEnumerable<byte[]> List(byte[] question, MuxCallOptions? options, CancellationToken cancellationToken)
    {
        Started.Add();
        return OnList(question, options, cancellationToken);
    }

    public async IAsyncEnumerable<byte[]> Talk(
        byte[] question, IAsyncEnumerable<byte[]> items, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        Started.Add();
        await foreach (var item in items) yield return item;
    }

    public static async IAsyncEnumerable<byte[]> Repeat(byte[] item, int count)
    {
        for (int i = 0; i < count; i++) yield return item;
        await Task.CompletedTask;
    }

    private static async ValueTask<byte[]> ConcatAsync(IAsyncEnumerable<byte[]> items, CancellationToken cancellationToken)
    {
        List<byte> all = [];
        await foreach (var item in items) all.AddRange(item);
        return [.. all];
    }
}
