using System.Runtime.CompilerServices;

namespace Mux.Tests.Forwarding;

/// <summary>Sends back what it gets, and notes its callers.</summary>
internal sealed class Office : IOffice
{
    private int _number;

    /// <summary>Handlers that were started.</summary>
    public int Started => _number;

    /// <summary>What the last handler saw.</summary>
    public MuxCallOptions? Seen { get; private set; }

    public ValueTask<byte[]> Look(byte[] order) => Answer(order);

    public ValueTask<byte[]> Cancel(byte[] order, CancellationToken cancellationToken) => Answer(order);

    public async IAsyncEnumerable<byte[]> Watch(
        byte[] order, IAsyncEnumerable<byte[]> items, [EnumeratorCancellation] CancellationToken cancellationToken)
    {
        Interlocked.Increment(ref _number);
        await foreach (var item in items) yield return item;
    }

    public ValueTask<byte[]> Move(byte[] order, MuxCallOptions? options)
    {
        Seen = options;
        return Answer(order);
    }

    public ValueTask<byte[]> Number(byte[] order)
    {
        int number = Interlocked.Increment(ref _number);
        return new([(byte)number, .. order]);
    }

    public ValueTask<byte[]> Hours(byte[] day) => Answer(day);

    private ValueTask<byte[]> Answer(byte[] order)
    {
        Interlocked.Increment(ref _number);
        return new(order);
    }
}
