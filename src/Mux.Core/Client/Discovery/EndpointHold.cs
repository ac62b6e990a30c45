using Mux.Discovery;
using Mux.Runtime;

namespace Mux.Client;

/// <summary>
/// Keeps servers that a source has lost in one sweep, while their connections are open. Registries lose all they know for a moment, and servers that answer are
/// better than what a registry says. After 60 s the source is believed. Pure: times and connections come in. Not safe for concurrent use.
/// </summary>
internal sealed class EndpointHold
{
    /// <summary>Losses within this time, in microseconds, count together.</summary>
    public const long LossWindow = 10_000_000;

    /// <summary>The longest time, in microseconds, for which a lost endpoint is kept.</summary>
    public const long HoldTime = 60_000_000;

    private readonly List<Loss> _losses = []; // in their order: those of the last 10 s, and older ones that are held
    private EndpointSet _newest = EndpointSet.Empty;

    /// <summary>
    /// When to call <see cref="Apply"/> again although no set has come, in microseconds of a <see cref="Clock"/>; <see cref="Clock.Never"/> if nothing is held.
    /// </summary>
    public long NextLook { get; private set; } = Clock.Never;

    /// <summary>
    /// Adds the endpoints that are held to a set. An endpoint is held from a set that is empty, or that loses more than half of what was known within 10 s, for
    /// 60 s; not longer than its connection is open.
    /// </summary>
    /// <param name="newest">The newest set of the source. The same as before, to look at what is held: at <see cref="NextLook"/>, and when a connection of an
    /// endpoint has closed that the set does not have.</param>
    /// <param name="isOpen">Tells whether a connection to an address is open.</param>
    /// <param name="now">Microseconds of a <see cref="Clock"/>; never less than before.</param>
    /// <returns>The endpoints to use: the set itself if nothing is held.</returns>
    public EndpointSet Apply(EndpointSet newest, Func<MuxAddress, bool> isOpen, long now)
    {
        NoteLosses(newest, now);
        _newest = newest;
        NextLook = Clock.Never;
        List<MuxEndpoint>? held = null;
        foreach (var loss in _losses)
        {
            if (!loss.IsHeld) continue;
            long end = Clock.After(loss.At, HoldTime);
            loss.IsHeld = now < end && isOpen(loss.Endpoint.Address); // one that closed once is gone: its server may have told it to go
            if (!loss.IsHeld) continue;
            (held ??= []).Add(loss.Endpoint);
            NextLook = Math.Min(NextLook, end);
        }

        return held is null ? newest : new EndpointSet(newest.Concat(held));
    }

    private void NoteLosses(EndpointSet newest, long now)
    {
        var present = newest.Select(endpoint => endpoint.Address).ToHashSet();
        _losses.RemoveAll(loss => !loss.IsHeld && now - loss.At >= LossWindow);
        int returned = _losses.RemoveAll(loss => present.Contains(loss.Endpoint.Address));
        var lost = _newest.Where(endpoint => !present.Contains(endpoint.Address)).ToList();
        if (lost.Count == 0) return;
        int recent = lost.Count + _losses.Count(loss => now - loss.At < LossWindow);
        int stayed = _newest.Count - lost.Count + returned;
        bool isSweep = newest.Count == 0 || recent > stayed; // more than half of all that were known
        foreach (var endpoint in lost) _losses.Add(new Loss(endpoint, now) { IsHeld = isSweep });
    }

    private sealed class Loss(MuxEndpoint endpoint, long at)
    {
        public MuxEndpoint Endpoint => endpoint;

        public long At => at;

        public bool IsHeld { get; set; }
    }
}
