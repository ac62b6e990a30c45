using System.ComponentModel;
using System.Runtime.CompilerServices;
using System.Threading.Channels;

namespace Mux.Contracts;

/// <summary>
/// Converts streams of items to channels, and back. Called by generated code. The runtime's own streams are channels already.
/// </summary>
[EditorBrowsable(EditorBrowsableState.Never)]
public static class ItemStreams
{
    /// <summary>Number of items that are buffered for the reader if the stream is not the runtime's own.</summary>
    private const int Capacity = 16;

    /// <summary>Converts the channel that a handler returns to a stream.</summary>
    public static async IAsyncEnumerable<T> FromResult<T>(
        ValueTask<ChannelReader<T>> result, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var channel = await result.ConfigureAwait(false);
        await foreach (var item in channel.ReadAllAsync(cancellationToken).ConfigureAwait(false)) yield return item;
    }

    /// <summary>Converts a stream to a channel, and begins to enumerate it.</summary>
    public static ChannelReader<T> ToChannel<T>(IAsyncEnumerable<T> items, CancellationToken cancellationToken = default)
    {
        var enumerator = items.GetAsyncEnumerator(cancellationToken);
        if (enumerator is ChannelReader<T> own) return own;
        var channel = Channel.CreateBounded<T>(new BoundedChannelOptions(Capacity) { SingleWriter = true });
        _ = PumpAsync(enumerator, channel.Writer);
        return channel.Reader;
    }

    private static async Task PumpAsync<T>(IAsyncEnumerator<T> items, ChannelWriter<T> channel)
    {
        Exception? error = null;
        try
        {
            await using var _ = items.ConfigureAwait(false);
            while (await items.MoveNextAsync().ConfigureAwait(false)) await channel.WriteAsync(items.Current).ConfigureAwait(false);
        }
        catch (Exception thrown)
        {
            error = thrown;
        }

        channel.Complete(error);
    }
}
