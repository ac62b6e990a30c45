namespace Mux.Engine;

/// <summary>
/// Decides, once, between the start of a call's request stream and another attempt of the call: items that were taken cannot be had again. The end of the
/// connection may fail an attempt on one thread before the thread that has appended its request says so. Safe for concurrent use.
/// </summary>
internal struct PumpingRight
{
    private static readonly object s_taken = new();

    private object? _state; // null, the stream of the last attempt that was given up, or that the right is taken

    /// <summary>Takes the right to send items. The request of the call was appended.</summary>
    /// <returns>False if it is taken, or the attempt was given up: then another one has its own start.</returns>
    public bool TryTake(OutgoingStreamCall call)
    {
        while (true)
        {
            var state = Volatile.Read(ref _state); // before the stream, which the next attempt replaces
            if (state == s_taken || call.Requests is not { } target || target == state) return false;
            if (Interlocked.CompareExchange(ref _state, s_taken, state) == state) return true;
        }
    }

    /// <summary>Gives up the attempt that has failed, so that no items are sent by it.</summary>
    /// <returns>False if items may have been taken: the call must not be repeated.</returns>
    public bool TryGiveUp(OutgoingStreamCall call)
    {
        var state = Volatile.Read(ref _state);
        if (state == s_taken) return false;
        return call.Requests is not { } lost || Interlocked.CompareExchange(ref _state, lost, state) == state;
    }
}
