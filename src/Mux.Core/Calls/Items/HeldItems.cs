using System.Diagnostics.CodeAnalysis;
using System.Runtime.CompilerServices;
using System.Threading.Channels;

namespace Mux.Calls;

/// <summary>
/// The response stream of a call as its caller holds it. See <see cref="IStreamReader{T}.Hold"/>. While the caller waits for an item, the reader keeps this
/// object alive, so a stream that is awaited or in use is not dropped.
/// </summary>
internal sealed class HeldItems<T>(ItemReader<T> reader) : ChannelReader<T>, IAsyncEnumerator<T>
{
#pragma warning disable MA0055 // nothing else notices that a stream was dropped
    ~HeldItems() => DroppedStream.End(reader);
#pragma warning restore MA0055

    public T Current => reader.Current;

    public override Task Completion => reader.Completion;

    public override bool CanCount => false;

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ValueTask<bool> MoveNextAsync()
    {
        var moving = reader.MoveNextAsync();
        if (!moving.IsCompleted) reader.WaitFor(this); // the caller awaits later, and only then is this read
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
