using Mux.Sessions.Streaming;

namespace Mux.Items;

/// <summary>Sends what a producer makes: takes its items as fast as the peer takes them.</summary>
internal static class ItemPump<T, TCodec>
    where TCodec : struct, IItemCodec<T>
{
    private enum Pause
    {
        /// <summary>The producer has no item yet.</summary>
        AwaitsItem,

        /// <summary>It has one, and the peer takes none.</summary>
        AwaitsCredit,

        /// <summary>It has no more.</summary>
        Ended,

        /// <summary>Nobody takes any.</summary>
        CallIsOver,
    }

    /// <summary>Enumerates <paramref name="items"/> to their end, unless the call is over before.</summary>
    /// <param name="items">The producer. Whatever it throws comes out of here; it is disposed in any case.</param>
    /// <param name="stream">Where they go.</param>
    /// <param name="cancellationToken">Fires when the call is over, also while the producer waits.</param>
    /// <returns>False if the call was over before the items were.</returns>
    public static async Task<bool> RunAsync(IAsyncEnumerable<T> items, OutboundStream stream, CancellationToken cancellationToken)
    {
        var enumerator = items.GetAsyncEnumerator(cancellationToken);
        await using var _ = enumerator.ConfigureAwait(false);
        try
        {
            bool hasItem = false;
            while (true)
            {
                switch (SendReady(enumerator, hasItem, stream, out var next))
                {
                    case Pause.AwaitsItem:
                        stream.Flush(); // what was made leaves before the next is waited for; if the call is over, its token may end the wait
                        stream.Release();
                        hasItem = await next.ConfigureAwait(false);
                        if (!stream.Flush()) return false; // a producer that watches no token learns of the end here, and not when its credit is used up
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
            stream.Flush(); // what was made before the failure is received before it
            throw;
        }
        finally
        {
            stream.Release();
        }
    }

    /// <summary>
    /// Sends items as long as there is nothing to wait for. Not the state machine's: its locals would be fields, loaded and stored for each item.
    /// </summary>
    /// <param name="items">The producer.</param>
    /// <param name="hasItem">Whether its current item is not sent yet.</param>
    /// <param name="stream">Where they go.</param>
    /// <param name="next">With <see cref="Pause.AwaitsItem"/>: whether there is another.</param>
    private static Pause SendReady(IAsyncEnumerator<T> items, bool hasItem, OutboundStream stream, out ValueTask<bool> next)
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
                TCodec.Encode(ref writer, items.Current);
                if (!stream.CommitItem(ref writer)) return Pause.CallIsOver;
            }
        }
        catch
        {
            stream.AbortItem(); // what was being encoded, if anything was
            throw;
        }
    }
}
