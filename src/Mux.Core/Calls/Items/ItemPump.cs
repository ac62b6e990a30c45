using Mux.Contracts;
using Mux.Engine;

namespace Mux.Calls;

/// <summary>Sends the items of a producer, as fast as the peer accepts them.</summary>
internal static class ItemPump<T>
{
    private enum Pause
    {
        /// <summary>The producer has no item yet.</summary>
        AwaitsItem,

        /// <summary>The producer has an item, and the peer grants no credit.</summary>
        AwaitsCredit,

        /// <summary>The producer has no more items.</summary>
        Ended,

        /// <summary>The call is over.</summary>
        CallIsOver,
    }

    /// <summary>Enumerates <paramref name="items"/> to their end, unless the call ends before.</summary>
    /// <param name="items">The producer. Its exceptions are rethrown; it is always disposed.</param>
    /// <param name="codec">Writes the items.</param>
    /// <param name="stream">The stream that sends them.</param>
    /// <param name="cancellationToken">Fires when the call is over, also while the producer waits.</param>
    /// <returns>False if the call ended before the items did.</returns>
    public static async Task<bool> RunAsync(
        IAsyncEnumerable<T> items, MessageCodec<T> codec, OutboundStream stream, CancellationToken cancellationToken)
    {
        var enumerator = items.GetAsyncEnumerator(cancellationToken);
        await using var _ = enumerator.ConfigureAwait(false);
        try
        {
            bool hasItem = false;
            while (true)
            {
                switch (SendReady(enumerator, hasItem, codec, stream, out var next))
                {
                    case Pause.AwaitsItem:
                        stream.Flush(); // items are sent before the wait for the next; if the call is over, its token may end the wait
                        stream.Release();
                        hasItem = await next.ConfigureAwait(false);
                        if (!stream.Flush()) return false; // a producer that watches no token learns of the end here, not when its credit is used up
                        if (!hasItem) return true;
                        break;
                    case Pause.AwaitsCredit:
                        if (!stream.Flush()) return false;
                        stream.Release();
                        if (!await stream.WaitAsync().ConfigureAwait(false)) return false;
                        hasItem = true;
                        break;
                    case Pause.Ended:
                        return stream.Flush();
                    case Pause.CallIsOver:
                        return false;
                }
            }
        }
        catch
        {
            stream.Flush(); // items made before the failure arrive before it
            throw;
        }
        finally
        {
            stream.Release();
        }
    }

    /// <summary>
    /// Sends items as long as there is nothing to wait for. Not part of the async method: its locals would be fields, loaded and stored for each item.
    /// </summary>
    /// <param name="items">The producer.</param>
    /// <param name="hasItem">True if its current item is not sent yet.</param>
    /// <param name="codec">Writes the items.</param>
    /// <param name="stream">The stream that sends the items.</param>
    /// <param name="next">With <see cref="Pause.AwaitsItem"/>: the pending move to the next item.</param>
    private static Pause SendReady(IAsyncEnumerator<T> items, bool hasItem, MessageCodec<T> codec, OutboundStream stream, out ValueTask<bool> next)
    {
        next = default;
        try
        {
            while (true)
            {
                if (!hasItem)
                {
                    next = items.MoveNextAsync();
                    if (!next.IsCompletedSuccessfully) return Pause.AwaitsItem;
#pragma warning disable VSTHRD002 // it is complete
                    if (!next.Result) return Pause.Ended;
#pragma warning restore VSTHRD002
                }

                hasItem = false;
                if (!stream.HasCredit) return Pause.AwaitsCredit;
                var writer = stream.BeginItem();
                codec.Encode(ref writer, items.Current);
                if (!stream.CommitItem(ref writer)) return Pause.CallIsOver;
            }
        }
        catch
        {
            stream.AbortItem(); // drops an item that was being encoded
            throw;
        }
    }
}
