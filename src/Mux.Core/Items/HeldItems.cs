using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Threading.Channels;

namespace Mux.Items;

/// <summary>
/// The response stream of a call in its caller's hands. See <see cref="IStreamReader{T}.Hold"/>. While the caller waits for an item, the reader holds this, so
/// a stream that is awaited is not dropped; nor is one that the caller is in.
/// </summary>
internal sealed class HeldItems<T, TCodec>(ItemReader<T, TCodec> reader) : ChannelReader<T>, IAsyncEnumerator<T>
    where TCodec : struct, IItemCodec<T>
{
#pragma warning disable MA0055 // nothing else tells that a stream was dropped
    ~HeldItems() => DroppedStream.End(reader);
#pragma warning restore MA0055

    public T Current => reader.Current;

    public override Task Completion => reader.Completion;

    public override bool CanCount => false;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ValueTask<bool> MoveNextAsync()
    {
        var moving = reader.MoveNextAsync();
        if (!moving.IsCompleted) reader.WaitFor(this); // the reader looks at it when the caller awaits, which is later
        GC.KeepAlive(this);
        return moving;
    }

    public override bool TryRead([MaybeNullWhen(false)] out T item)
    {
        bool hasRead = reader.TryRead(out item);
        GC.KeepAlive(this);
        return hasRead;
    }

    public override ValueTask<bool> WaitToReadAsync(CancellationToken cancellationToken = default)
    {
        var reading = reader.WaitToReadAsync(cancellationToken);
        if (!reading.IsCompleted) reader.WaitFor(this);
        GC.KeepAlive(this);
        return reading;
    }

    public ValueTask DisposeAsync()
    {
        GC.SuppressFinalize(this);
        return reader.DisposeAsync();
    }
}
