using System.Diagnostics;

namespace Mux.Tool.Load;

/// <summary>
/// One stream at a time, of items that are each checked. When one ends the next is opened, until the run is stopped. It runs in one place at a time.
/// </summary>
/// <param name="place">Which of the run's it is.</param>
/// <param name="configuration">The run's.</param>
/// <param name="state">The run's.</param>
internal abstract class StreamToken(TokenPlace place, BenchConfiguration configuration, LoadState state)
{
    private volatile bool _isOpen;
    private long _numbers; // given away
    private long _itemAt; // when the item before came; 0 if the clock was not read
    private int _untilTimed = place.Index % configuration.TimeEvery;

    /// <summary>Whether a stream is open.</summary>
    public bool IsOpen => _isOpen;

    protected LoadState State => state;

    /// <summary>Items of a stream; 0 for as many as the run has time for.</summary>
    protected long StreamItems => configuration.StreamItems;

    /// <summary>Between the numbers of two items.</summary>
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
                await Task.Yield(); // a stream that fails at once would otherwise keep its thread to itself
            }

            _itemAt = 0;
            _isOpen = false;
        }
    }

    /// <summary>Opens a stream, and is done when it has ended or the run is stopped.</summary>
    protected abstract Task MakeStreamAsync();

    /// <summary>For the next item: 1 and up, unique in the run.</summary>
    protected long NextNumber() => place.Index + 1 + (_numbers++ * Step);

    /// <summary>Whether the next item is one that is timed.</summary>
    protected bool IsTimed()
    {
        if (--_untilTimed >= 0) return false;
        _untilTimed = configuration.TimeEvery - 1;
        return true;
    }

    /// <summary>Counts an item of a stream of one direction; its time is that since the one before.</summary>
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

    /// <summary>A stream that ends earlier or later than was asked for, or of which the other end has seen something else.</summary>
    protected void CountWrongEnd() => state.RecordUntimedReply(isRight: false);
}
