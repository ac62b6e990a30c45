using System.Diagnostics;
using Mux.Contracts;

namespace Mux.Callbacks;

/// <summary>The callbacks of one call that have no answer, each in a place, which its id names. Guarded by the lock of the session.</summary>
internal sealed class PendingCallbacks(Lock gate)
{
    private readonly PendingCallback?[] _places = new PendingCallback?[CallbackLimits.MaxUnanswered];
    private ulong _sequence;
    private ulong _lastSent; // id of the last callback whose message was taken to be sent; ids grow

    /// <summary>Adds a callback, with the next id.</summary>
    /// <returns>Null if all places are taken.</returns>
    public PendingCallback<TResponse>? TryAddLocked<TResponse>(MessageCodec<TResponse> responses, string method)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        int place = Array.IndexOf(_places, null);
        if (place < 0) return null;
        var added = new PendingCallback<TResponse>((++_sequence << CallbackLimits.PlaceBits) | (uint)place, responses, method);
        _places[place] = added;
        return added;
    }

    public bool ContainsLocked(PendingCallback callback)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        return _places[PlaceOf(callback.Id)] == callback;
    }

    public void OnSentLocked(ulong id)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        _lastSent = id;
    }

    /// <summary>Takes out the callback that an answer belongs to.</summary>
    /// <returns>Null if none that was sent has this id.</returns>
    public PendingCallback? TakeLocked(ulong id)
    {
        Debug.Assert(gate.IsHeldByCurrentThread);

        // Ids can be guessed. A place that is free before its message was sent would let messages gather without a bound.
        int place = PlaceOf(id);
        if (_places[place] is not { } callback || callback.Id != id || id > _lastSent) return null;
        _places[place] = null;
        return callback;
    }

    /// <summary>Gets all of them. They stay.</summary>
    public PendingCallback[] AllLocked()
    {
        Debug.Assert(gate.IsHeldByCurrentThread);
        return [.. _places.OfType<PendingCallback>()];
    }

    private static int PlaceOf(ulong id) => (int)(id & (CallbackLimits.MaxUnanswered - 1));
}
