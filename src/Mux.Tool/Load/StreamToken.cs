using System.Diagnostics;

namespace Mux.Tool.Load;

/// <summary>
/// Opens one stream at a time and checks each item. When a stream ends, the next one is opened, until the run is stopped. Runs on one thread at a time.
/// </summary>
/// <param name="place">Its place among the tokens of the run.</param>
/// <param name="configuration">Configuration of the run.</param>
/// <param name="state">State of the run.</param>
internal abstract class StreamToken(TokenPlace place, BenchConfiguration configuration, LoadState state)
{
    private volatile bool _isOpen;
    private long _numbers; // numbers used so far
    private long _itemAt; // arrival of the previous item; 0 if the clock was not read
    private int _untilTimed = place.Index % configuration.TimeEvery;

    /// <summary>True if a stream is open.</summary>
    public bool IsOpen => _isOpen;

    protected LoadState State => state;

    /// <summary>Number of items per stream; 0 for no limit before the run ends.</summary>
    protected long StreamItems => configuration.StreamItems;

    /// <summary>Difference between the numbers of two items.</summary>
    protected int Step => place.Count;

    /// <summary>Opens streams until the run is stopped.</summary>
    public async Task MakeStreamsAsync()
    {
        while (!state.IsStopping)
        {
            try
            {
                _isOpen = true;
                await MakeStreamAsync().ConfigureAwait(false);
            }
            catch (Exception error) when (error is MuxException or OperationCanceledException)
            {
                state.AddFailure(error);
                await Task.Yield(); // otherwise a stream that fails at once would monopolize its thread
            }

            _itemAt = 0;
            _isOpen = false;
        }
    }

    /// <summary>Opens a stream; completes when it has ended or the run is stopped.</summary>
    protected abstract Task MakeStreamAsync();

    /// <summary>Gets the number of the next item: 1 and up, unique in the run.</summary>
    protected long NextNumber() => place.Index + 1 + (_numbers++ * Step);

    /// <summary>True if the next item is timed.</summary>
    protected bool IsTimed()
    {
        if (--_untilTimed >= 0) return false;
        _untilTimed = configuration.TimeEvery - 1;
        return true;
    }

    /// <summary>Counts an item of a stream in one direction; its latency is the time since the previous item.</summary>
    protected void CountItem(long number, bool isRight)
    {
        if (_itemAt == 0)
        {
            state.RecordUntimedReply(isRight);
            if (IsTimed()) _itemAt = Stopwatch.GetTimestamp();
            return;
        }

        long now = Stopwatch.GetTimestamp();
        state.RecordReply(number, now - _itemAt, isRight);
        _itemAt = IsTimed() ? now : 0;
    }

    /// <summary>Counts a stream that ended too early or too late, or whose other end has seen other items.</summary>
    protected void CountWrongEnd() => state.RecordUntimedReply(isRight: false);
}
