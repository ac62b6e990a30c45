using System.Diagnostics;

namespace Mux.Tool.Load;

/// <summary>
/// Sends items and receives one for each, with a limited number in flight. The latency of a pair is the time from passing the item to the runtime until its
/// answer arrives.
/// </summary>
internal abstract class ExchangeToken<TSent, TReceived>(TokenPlace place, BenchConfiguration configuration, LoadState state)
    : StreamToken(place, configuration, state)
    where TSent : class
{
    private readonly int _size = configuration.Window!.Value;

    /// <summary>Opens a stream.</summary>
    protected abstract IAsyncEnumerable<TReceived> Exchange(IAsyncEnumerable<TSent> items);

    protected abstract TSent Make(long number);

    protected abstract bool IsAnswer(long number, TReceived item);

    protected sealed override async Task MakeStreamAsync()
    {
        // Items in flight, in order: their number and send time, 0 if not timed. The sender fills a place before the item leaves, and the answer empties it.
        var open = new (long Number, long SentAt)[_size];
        long sent = 0, received = 0;
        var items = new ExchangeItems<TSent>(_size, Next);
        try
        {
            await foreach (var item in Exchange(items).ConfigureAwait(false))
            {
                var (number, sentAt) = open[received++ % _size];
                bool isRight = received <= Volatile.Read(ref sent) && IsAnswer(number, item);
                if (sentAt == 0) State.RecordUntimedReply(isRight);
                else State.RecordReply(number, Stopwatch.GetTimestamp() - sentAt, isRight);
                items.OnAnswer();
            }
        }
        finally
        {
            items.End();
        }

        if (received != Volatile.Read(ref sent)) CountWrongEnd();

        TSent? Next()
        {
            if (State.IsStopping || (StreamItems > 0 && sent == StreamItems)) return null;
            long number = NextNumber();
            open[sent % _size] = (number, IsTimed() ? Stopwatch.GetTimestamp() : 0);
            Volatile.Write(ref sent, sent + 1);
            return Make(number);
        }
    }
}
