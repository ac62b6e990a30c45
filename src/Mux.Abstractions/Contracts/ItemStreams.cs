using System.Runtime.CompilerServices;
using System.Threading.Channels;

namespace Mux.Contracts;

/// <summary>For generated code: makes channels of streams of items, and the other way. The runtime's own streams are channels already.</summary>
public static class ItemStreams
{
    /// <summary>How many items of somebody else's stream are kept before the reader has taken them.</summary>
    private const int Capacity = 16;

    /// <summary>The items of a channel that a handler returns, or of several.</summary>
    public static async IAsyncEnumerable<T> FromResult<T>(
        ValueTask<ChannelReader<T>> result, [EnumeratorCancellation] CancellationToken cancellationToken = default)
    {
        var channel = await result.ConfigureAwait(false);
        await foreach (var item in channel.ReadAllAsync(cancellationToken).ConfigureAwait(false)) yield return item;
    }

    /// <summary>The channel behind a stream, whose enumeration begins.</summary>
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
